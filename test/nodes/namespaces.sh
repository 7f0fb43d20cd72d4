#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# namespaces.sh HOSTS COMMAND...: runs COMMAND, whose jobs of scripts/mpiexec have their ranks on HOSTS, for instance
# "10.77.0.1:3,10.77.0.2:5": network namespaces joined by a bridge, so that MPI uses TCP between them. Status 77 and the
# reason where the machine does not allow that.
#
# The bridge and the names of the hosts are in a network and a mount namespace of this script's own. So runs cannot
# collide, and with its last process, however that ends, the kernel removes all of it.
set -euo pipefail
if [ -z "${AXIAL_IN_NAMESPACES-}" ]; then
  for tool in ip unshare; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed" && exit 77; }
  done
  apart=(unshare --net --mount)
  [ "$(id -u)" = 0 ] || apart+=(--user --map-root-user)
  "${apart[@]}" true 2>/dev/null || { echo "no permission to make network namespaces" && exit 77; }
  AXIAL_IN_NAMESPACES=1 exec "${apart[@]}" "$0" "$@"
fi
hosts=$1
shift

connect() {
  set -e
  mount -t tmpfs run /run  # where ip keeps the names of namespaces
  ip link set lo up
  ip link add bridge type bridge
  ip addr add 10.77.0.254/24 dev bridge
  ip link set bridge up
  local host port
  for host in $(tr , ' ' <<<"$hosts"); do
    host=${host%:*} port=port${host##*.}
    ip netns add "$host"
    ip link add "$port" type veth peer name eth0 netns "$host"
    ip link set "$port" master bridge up
    ip -n "$host" addr add "$host/24" dev eth0
    ip -n "$host" link set eth0 up
    ip -n "$host" link set lo up
  done
}
set +e  # in a condition, -e would be without effect inside connect, too
why=$(connect 2>&1)
status=$?
set -e
[ $status = 0 ] || { echo "no network between namespaces (${why##*$'\n'})" && exit 77; }

launch=$(realpath "$(dirname "$0")")/launch.sh
export AXIAL_TEST_TCP=1 UCX_TLS=tcp,self
export AXIAL_MPIEXEC_ARGUMENTS="-launcher ssh -launcher-exec $launch -iface bridge -hosts $hosts"
"$@" && status=0 || status=$?
sed 's/:/ /' /proc/net/dev | awk '$1 ~ /^port/ { sum += $2 } END { printf "%d MB went between the hosts\n", sum / 1e6 }'
exit $status
