#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# launch.sh [-OPTION...] HOST COMMAND...: what ssh is to mpiexec, for the hosts of namespaces.sh. A UTS namespace gives
# a host its name, an IPC namespace keeps its shared memory apart from that of the others.
set -euo pipefail
while [[ $1 == -* ]]; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare --uts --ipc bash -c "hostname '$host' && exec $*"
