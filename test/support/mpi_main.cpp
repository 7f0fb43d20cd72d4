// SPDX-License-Identifier: BSL-1.0
// The main program of Boost.Test cases that run on several ranks.
#define BOOST_TEST_MODULE axial over MPI
#include <mpi.h>

#include <boost/test/tree/observer.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace utf = boost::unit_test;

// The other ranks may already wait in a collective for a rank that leaves a test case early, by BOOST_REQUIRE or by an
// exception: end the whole run, rather than let it reach its time limit. The cause has been printed by then, and the
// pause lets mpiexec read it: what is still in its pipes when a rank aborts can be lost.
struct EndTogether : utf::test_observer {
  void test_unit_aborted(const utf::test_unit&) override {
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
};

struct Mpi {
  Mpi() {
    auto& suite = utf::framework::master_test_suite();
    int provided = 0;
    MPI_Init_thread(&suite.argc, &suite.argv, MPI_THREAD_FUNNELED, &provided);
    std::setvbuf(stdout, line_, _IOLBF, sizeof line_);  // MPICH takes the buffer away, and the ranks' lines would mix
    utf::framework::register_observer(end_together_);
  }
  ~Mpi() {
    utf::framework::deregister_observer(end_together_);
    if (std::getenv("AXIAL_TEST_TCP")) leave_together();
    MPI_Finalize();
  }

 private:
  /// Over TCP, a rank of MPICH 4.0 that has disconnected waits for all others without answering them, and those that
  /// still have to disconnect from it wait for its answer (openucx/ucx#2254, pmodels/mpich#2514). Ranks that sleep and
  /// wake up together disconnect together; ranks that poll meanwhile do not.
  static void leave_together() {
    MPI_Barrier(MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }

  EndTogether end_together_;
  static inline char line_[BUFSIZ];  // outlives the last output
};
BOOST_TEST_GLOBAL_FIXTURE(Mpi);
