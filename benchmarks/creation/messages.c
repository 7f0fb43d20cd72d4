// SPDX-License-Identifier: BSL-1.0
// Counts the messages that MPICH sends through UCX and their bytes. Preloaded, it writes both at the end of each
// process into $BENCH_MESSAGES.RANK. With MPIR_CVAR_NOLOCAL=1 all messages between ranks go through UCX. It relies on a
// public function of UCX and on MPICH handing it contiguous bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long messages, bytes;

void* ucp_tag_send_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag, const void* parameters) {
  typedef void* Send(void*, const void*, size_t, uint64_t, const void*);
  static Send* send;
  if (!send) send = (Send*)dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
  ++messages;
  bytes += count;
  return send(endpoint, buffer, count, tag, parameters);
}

__attribute__((destructor)) static void write_counts(void) {
  const char* path = getenv("BENCH_MESSAGES");
  const char* rank = getenv("PMI_RANK");
  char name[4096];
  if (!path || !rank || snprintf(name, sizeof name, "%s.%s", path, rank) >= (int)sizeof name) return;
  FILE* file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "%llu %llu\n", messages, bytes);
  fclose(file);
}
