#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""`axial order`: each spelling to the letter, what cannot be said, and that what is printed reads back."""
import unittest

from tool import ToolTest


class Spellings(ToolTest):
    def spellings(self, *words):
        return self.document("order", *words, "--json")

    def test_each_system_has_its_own(self):
        self.assertEqual(self.output("order dp=2,tp=4"), """\
axial     dp=2,tp=4
PyTorch   init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
JAX       jax.make_mesh((2, 4), ("dp", "tp"))
Megatron  order="tp-dp", tp=4, dp=2
MPI Cart  MPI_Cart_create(comm, 2, (int[]){2, 4}, (int[]){0, 0}, 0, &grid);  // dp, tp
C++       axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 4>>
""")
        self.assertEqual(self.spellings("x=8")["pytorch"], 'init_device_mesh("cuda", (8,), mesh_dim_names=("x",))')
        self.assertEqual(self.spellings("x=8")["jax"], 'jax.make_mesh((8,), ("x",))')

    def test_another_order_of_ranks_is_an_array(self):
        said = self.spellings("dp=2,tp=2", "permute:tp,dp")
        self.assertEqual(said["pytorch"], 'DeviceMesh("cuda", [[0, 2], [1, 3]], mesh_dim_names=("tp", "dp"))')
        self.assertEqual(said["jax"],
                         'jax.sharding.Mesh(np.array(jax.devices())[np.array([[0, 2], [1, 3]])], ("tp", "dp"))')
        self.assertEqual(said["megatron"], 'order="tp-dp", tp=2, dp=2')
        self.assertIsNone(said["mpi"])
        self.assertEqual(said["cpp"], 'axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"tp", 2>>{}.permute<"tp", "dp">()')

    def test_steps_that_end_row_major_are_a_mesh_of_that_shape(self):
        said = self.spellings("dp=2,cp=2,tp=2", "flatten:cp,tp=model")
        self.assertEqual(said["cpp"], 'axial::Mesh<axial::Dim<"dp", 2>, axial::Dim<"model", 4>>')
        self.assertEqual(said["mpi"][:42], "MPI_Cart_create(comm, 2, (int[]){2, 4}, (i")

    def test_steps_are_calls_in_cpp(self):
        said = self.spellings(*"a=2,b=2,c=4 ranks:0,1,3,2,4,5,7,6,8,9,11,10,12,13,15,14 unflatten:c=p:2,q:2 "
                              "flatten:q,a others:p rename:b=x flatten:x,q_a=y slice:y=3".split())
        self.assertEqual(said["cpp"], 'axial::Mesh<axial::Dim<"a", 2>, axial::Dim<"b", 2>, axial::Dim<"c", 4>>{}'
                         ".with_ranks<0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14>()"
                         '.unflatten<"c", axial::Dim<"p", 2>, axial::Dim<"q", 2>>().flatten<"q", "a">().others<"p">()'
                         '.rename<"b", "x">().flatten_as<"y", "x", "q_a">().slice<"y", 3>()')

    def test_what_cannot_be_said_has_a_reason(self):
        out = self.output("order dp=2,cp=2,tp=2 flatten:tp,dp")
        self.assertIn('Megatron  cannot say it: it has no order inside a group, and "tp_dp" is (2,2):(1,4)\n', out)
        self.assertIn("MPI Cart  cannot say it: a grid is row-major", out)
        self.assertEqual(self.output("order dp=2,tp=2 submesh:tp").count("cannot say it"), 4)
        self.assertIn("and the mesh has 2 copies", self.output("order dp=2,tp=2 submesh:tp"))
        self.assertIn("give the number of ranks with --world N", self.output("order dp=*,tp=2"))
        self.assertIn("Megatron  cannot say it: it numbers the ranks in order", self.output("order dp=2 ranks:1,0"))
        self.assertIn("span all 8 ranks, and these span 4", self.output("order dp=2,tp=4 slice:dp=0"))
        self.assertIn("the mesh has no dimensions", self.output("order dp=2 slice:dp=0"))
        self.assertEqual(self.output("order dp=2,tp=2 submesh:tp --tsv").splitlines()[1], "pytorch\t-")

    def test_a_dynamic_mesh_is_a_type(self):
        self.assertEqual(self.spellings("dp=*,tp=2")["cpp"],
                         'axial::Mesh<axial::Dim<"dp", axial::dynamic>, axial::Dim<"tp", 2>>')

    def test_what_is_printed_reads_back(self):
        for words in ["dp=2,tp=4", "x=8", "pp=2,dp=1,cp=3,tp=4", "dp=2,tp=4 permute:tp,dp", "dp=4 ranks:3,2,1,0",
                      "dp=2,cp=2,tp=2 flatten:tp,dp"]:
            first = self.spellings(*words.split())
            for system in ["pytorch", "jax", "megatron", "mpi"]:
                if first[system] is None or (system == "megatron" and "permute" in words):
                    continue
                again = self.spellings("--from", f"{system}:{first[system]}")
                self.assertEqual(again[system], first[system])
                self.assertEqual(again["pytorch"], first["pytorch"], (words, system))

    def test_megatron_cannot_say_the_order_of_the_axes(self):
        again = self.spellings("--from", "megatron:" + self.spellings("dp=2,tp=4", "permute:tp,dp")["megatron"])
        self.assertEqual(again["axial"], "dp=2,tp=4")


class Reading(ToolTest):
    def mesh(self, *words):
        return self.document("order", "--json", "--from", *words)["axial"]

    def test_an_order_takes_the_extents_from_the_mesh(self):
        self.assertEqual(self.mesh("megatron:tp-cp-ep-dp-pp", "pp=4,tp=2,cp=1,ep=1,dp=2"), "pp=4,dp=2,ep=1,cp=1,tp=2")
        self.assertEqual(self.mesh("megatron:tp-dp", "tp=2,dp=*"), "dp=*,tp=2")

    def test_megatron_gives_the_published_groups(self):
        # 16 ranks, tp 2, pp 4, dp 2: the example in Megatron's own comment on its groups.
        mesh = self.mesh("megatron:tp-cp-ep-dp-pp", "tp=2,cp=1,ep=1,dp=2,pp=4")
        self.assertEqual(self.lines("groups", mesh, "--axis", "pp", "--tsv"),
                         ["0 4 8 12", "1 5 9 13", "2 6 10 14", "3 7 11 15"])
        self.assertEqual(self.lines("groups", mesh, "--axis", "dp", "--tsv")[:3], ["0 2", "1 3", "4 6"])

    def test_sizes_may_come_without_an_order(self):
        self.assertEqual(self.mesh("megatron:tp=8,dp=4,pp=2"), "pp=2,dp=4,tp=8")
        self.assertEqual(self.mesh("megatron:order='pp-tp', tp=8, pp=2"), "tp=8,pp=2")

    def test_python_in_its_forms(self):
        for text in ['(2, 4), ("dp", "tp")', "(2, 4), ('dp', 'tp')", '[2,4],["dp","tp"]',
                     'mesh = init_device_mesh("cuda", mesh_shape=(2, 4), mesh_dim_names=("dp", "tp"))',
                     'torch.distributed.device_mesh.init_device_mesh("cpu", (2, 4), mesh_dim_names=("dp","tp",))',
                     'DeviceMesh("cuda", torch.tensor([[0, 1, 2, 3], [4, 5, 6, 7]]), mesh_dim_names=("dp", "tp"))']:
            self.assertEqual(self.mesh("pytorch:" + text), "dp=2,tp=4")
        self.assertEqual(self.mesh("jax:jax.make_mesh((2, 4), ('dp', 'tp'))"), "dp=2,tp=4")
        self.assertEqual(self.mesh("pytorch:(2, 4)"), "d0=2,d1=4")
        self.assertEqual(self.mesh("pytorch:DeviceMesh('cuda', [1, 0])"), "d0=2 ranks:1,0")

    def test_mpi_in_its_forms(self):
        self.assertEqual(self.mesh("mpi:2,4"), "d0=2,d1=4")
        self.assertEqual(self.mesh("mpi:dp=2,tp=4"), "dp=2,tp=4")
        self.assertEqual(self.mesh("mpi:MPI_Cart_create(MPI_COMM_WORLD, 2, {2, 4}, {1, 1}, 0, &cart)"), "d0=2,d1=4")

    def test_steps_may_follow(self):
        self.assertEqual(self.mesh("mpi:2,4", "flatten:d1,d0=x"), "d0=2,d1=4 flatten:d1,d0=x")
        self.assertEqual(self.mesh("megatron:b-a", "b=2,a=4", "flatten"), "a=4,b=2 flatten")

    def test_mistakes_are_named(self):
        for words, text in [
            (["foo"], '"foo" is no spelling; there are pytorch:, jax:, megatron: and mpi:'),
            (["megatron:tp-dp"], "needs the extents"),
            (["megatron:tp-dp", "tp=2,dp=2,pp=2"],
             '--from megatron: order "tp-dp" leaves out dimension "pp"; it names each of them once: "tp", "dp", "pp"'),
            (["megatron:tp-tp", "tp=2,dp=2"], 'order "tp-tp" names dimension "tp" twice'),
            (["megatron:tp-dpp", "tp=2,dp=2"],
             'no dimension "dpp"; its dimensions are "tp", "dp" (did you mean "dp"?)'),
            (["megatron:tp--dp", "tp=2,dp=2"], 'order "tp--dp" has an empty token; the dimensions are "tp", "dp"'),
            (["megatron:", "tp=2"], 'order "" has an empty token'),
            (["megatron:tp-dp", "tp=2,dp"], '"dp" is no dimension'),
            (["megatron:tp-dp", "tp=2,tp=2"], '"tp" twice'),
            (["megatron:dp-tp", "tp=2,dp=*"], "only the outermost can be"),
            (["megatron:order=tp, tp=4, dp=2"], 'leaves out dimension "dp"'),
            (["megatron:tp=4,dp=x"], '"dp=x" is no dimension'),
            (["pytorch:"], "has no shape"), (["pytorch:init_device_mesh('cuda', shape)"], "has no shape"),
            (["pytorch:make_mesh((2, 4))"], '"make_mesh" is not understood; the functions are init_device_mesh'),
            (["pytorch:(2, 4), ('a',)"], "there are 2 extents and 1 names"),
            (["pytorch:(2, 4), ('a', 'a')"], '"a" twice'), (["pytorch:(2, 0)"], '"d1=0" is no dimension'),
            (["pytorch:(2, 4"], 'a ")" is missing'), (["pytorch:('a"], "a quote is missing"),
            (["pytorch:(2, 4]"], '"]" is not understood'), (["pytorch:(2, 99999999999)"], "no whole number"),
            (["pytorch:(2, -4)"], '"-4)" is not understood'), (["pytorch:[[0, 1], [2]]"], "rows of different lengths"),
            (["pytorch:" + "(" * 200], "nested too deep"),
            (["pytorch:DeviceMesh('cuda', [0, 2])"], "position 1 the rank 2, and the mesh has the ranks 0 to 1"),
            (["jax:(2, 4), ('a,b', 'c')"], '"a" is no dimension'),
            (["mpi:"], '"" is no whole number'), (["mpi:2,x"], '"x" is no whole number from 1 to 2147483647'),
            (["mpi:MPI_Cart_create(comm, 2, dims)"], "has no extents"), (["pytorch:(2, x)"], "has no shape"),
            (["mpi:MPI_Cart_create(comm, 3, {2, 4})"], "there are 2 extents, and ndims is 3"),
            (["mpi:MPI_Dims_create(8, 2, {0, 0})"], "the functions are MPI_Cart_create"),
        ]:
            self.assert_refused(["order", "--from", *words], text)


if __name__ == "__main__":
    unittest.main()
