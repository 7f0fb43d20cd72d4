// SPDX-License-Identifier: BSL-1.0
// Lets MPICH share cores. Its ranks wait by polling UCX without ever sleeping, so with more ranks than cores a rank
// that waits uses up the time slice of the one it waits for, and a barrier takes milliseconds. Preloaded, this object
// gives the core away after each poll that found nothing. It relies on a public function of UCX; without UCX it is
// never called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*poll)(void*);
  if (!poll) poll = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = poll ? poll(worker) : 0;
  if (events == 0) sched_yield();
  return events;
}
