// SPDX-License-Identifier: BSL-1.0
// Ranks that are of no help: they sleep in the kernel, where MPI makes no progress, until others wake them.
#pragma once
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <vector>

/// Runs f on the ranks of the world that are awake; the others sleep, after they have run `first`, until all of those
/// have done so. Collective. Where f needs a rank that sleeps, it never ends.
template <class F, class First>
void while_others_sleep(bool is_awake, F f, First first) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGRTMIN);  // signals of this kind are counted
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int mine = is_awake ? 0 : static_cast<int>(getpid());
  std::vector<int> sleepers(static_cast<std::size_t>(size));
  MPI_Allgather(&mine, 1, MPI_INT, sleepers.data(), 1, MPI_INT, MPI_COMM_WORLD);
  if (is_awake) {
    f();
    for (const int process : sleepers)
      if (process) tgkill(process, process, SIGRTMIN);
  } else {
    first();
    for (const int process : sleepers)
      if (int signal = 0; !process) sigwait(&signals, &signal);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
template <class F>
void while_others_sleep(bool is_awake, F f) {
  while_others_sleep(is_awake, f, [] {});
}
