// SPDX-License-Identifier: BSL-1.0
// The device of a process. Pure functions: what they look at comes in.
module;
#include <charconv>
#include <string>
#include <system_error>

module axial;

namespace axial {
namespace {

// The rank on the node, in the words of each launcher. Outer launchers come last: a job that mpiexec or Flux starts
// inside of a Slurm job inherits the SLURM_LOCALID=0 of the batch script (hoomd-blue #1647).
constexpr const char* launcher_variables[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK",  // Open MPI, manual 11.1
    "MPI_LOCALRANKID",             // MPICH and Intel MPI: Hydra
    "MV2_COMM_WORLD_LOCAL_RANK",   // MVAPICH2: mpirun_rsh
    "MVP_COMM_WORLD_LOCAL_RANK",   // MVAPICH 3: mpirun_rsh
    "MPT_LRANK",                   // HPE MPT
    "PALS_LOCAL_RANKID",           // HPE PALS
    "PMI_LOCAL_RANK",              // Cray PMI
    "FLUX_TASK_LOCAL_ID",          // Flux, flux-run(1)
    "JSM_NAMESPACE_LOCAL_RANK",    // IBM JSM: jsrun
    "SLURM_LOCALID",               // Slurm, srun(1)
};

const char* look_up(const DeviceInputs& inputs, const char* variable) {
  return inputs.environment ? inputs.environment(variable) : nullptr;
}

std::string devices_text(int devices) {
  if (devices <= 0) return "no device";
  if (devices == 1) return "only device 0";
  return std::to_string(devices) + " devices, 0 to " + std::to_string(devices - 1);
}

int seen_device(const char* source, long long device, int devices) {
  if (device < 0 || device >= devices)
    throw MeshError(std::string(source) + " is " + std::to_string(device) + ", but this process sees " +
                    devices_text(devices));
  return static_cast<int>(device);
}

unsigned parse_rank(const char* variable, const char* value) {
  const NameView text(value);
  unsigned rank = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), rank);
  if (error != std::errc() || end != text.end())
    throw MeshError(std::string(variable) + " is \"" + value + "\", but a rank is a decimal number, 0 to " +
                    std::to_string(~0u));
  return rank;
}

/// The only device is also that of rank 3: a launcher that shows each process its own device shows one (ignite #3259).
int device_of_local_rank(unsigned rank, int devices) {
  return devices == 1 ? 0 : seen_device("LOCAL_RANK", rank, devices);
}

/// Open MPI's manual, 11.3.1, takes the rank modulo the devices as well; torch refuses what is not shared evenly. All
/// ranks of a node decide alike.
int share_devices(unsigned rank, unsigned ranks, int devices) {
  const auto count = static_cast<unsigned>(devices);
  if (ranks > count && ranks % count != 0) {
    const std::string number = std::to_string(devices);
    throw MeshError(std::to_string(ranks) + " ranks on this node cannot share " + number +
                    " devices evenly: start at most " + number + ", or a multiple of " + number);
  }
  return static_cast<int>(rank % count);
}

}  // namespace

NameView DeviceChoice::why() const {
  switch (reason) {
    case Reason::none: return "no devices";
    case Reason::option: return "Options::device";
    case Reason::already_chosen: return "already chosen";
    case Reason::environment: return variable;
    case Reason::node_local_rank: return "node-local rank";
  }
  return "";
}

DeviceChoice choose_device(const DeviceInputs& in) {
  using enum DeviceChoice::Reason;
  if (in.wanted != -1) return {seen_device("Options::device", in.wanted, in.devices), option};
  if (in.devices <= 0) return {};
  if (in.chosen >= 0) return {seen_device("the device already chosen", in.chosen, in.devices), already_chosen};
  if (const char* value = look_up(in, "LOCAL_RANK"))
    return {device_of_local_rank(parse_rank("LOCAL_RANK", value), in.devices), environment, "LOCAL_RANK"};
  // Before MPI's node-local rank: that of a part of the job would give two parts the same devices (hoomd-blue #351).
  for (const char* variable : launcher_variables)
    if (const char* value = look_up(in, variable))
      return {share_devices(parse_rank(variable, value), in.local_size, in.devices), environment, variable};
  return {share_devices(in.local_rank, in.local_size, in.devices), node_local_rank};
}

}  // namespace axial
