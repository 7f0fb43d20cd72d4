#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""Bad input: one line that names the bad word and the legal ones, exit code 2."""
import unittest

from tool import ToolTest


class Refusals(ToolTest):
    def test_of_subcommands_and_options(self):
        for words, text in [
            ("", "the subcommand is missing; there are show, groups, coords, order, draw, check"),
            ("gruops dp=2", '"gruops" is no subcommand; there are show, groups'),
            ("gruops", '(did you mean "groups"?)'),
            ("groups dp=2 --axes dp",
             '"--axes" is no option of groups; there are --help, --world, --axis, --tsv, --json'),
            ("groups dp=2 --axes dp", '(did you mean "--axis"?)'), ("--foo", "--foo"), ("-x", "-x"),
            ("groups dp=2 --tsv --json", "--tsv excludes --json"), ("groups dp=2 --axis", "--axis"),
            ("show", "the mesh is missing; write NAME=EXTENT"), ("show dp=2 show", '"show" is no step'),
        ]:
            self.assert_refused(words, text)

    def test_of_meshes(self):
        for mesh, text in [
            ("dp", '"dp" is no dimension; write NAME=EXTENT'), ("dp=2,tp=x", '"tp=x" is no dimension'),
            ("", '"" is no dimension'), ("dp=2,", '"" is no dimension'), ("=2", '"=2" is no dimension'),
            ("dp=0", '"dp=0" is no dimension'), ("dp=-1", '"dp=-1"'), ("dp=2147483648", "from 1 to 2147483647"),
            ("dp=65536,tp=65536", "more than 2147483647 ranks"), ("dp=2,tp=2,dp=4", '"dp" twice'),
            ("dp=2,tp=*", '"tp" is dynamic, and only the outermost can be: "dp"'),
            (",".join(f"x{i}=1" for i in range(65)), '"x64=1" is one dimension too many; the most is 64'),
            ("x" * 100000, '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is no dimension'),
            ("a\nb\x1b", r'"a\x0ab\x1b" is no dimension'),
        ]:
            self.assert_refused(["coords", mesh], text)

    def test_of_numbers_of_ranks(self):
        for words, text in [
            ("coords dp=*,tp=2", '"dp=*,tp=2" is dynamic; give the number of ranks with --world N'),
            ("groups dp=*,tp=2 --axis tp", "--world N"), ("draw dp=*,tp=2 --axis tp", "--world N"),
            ("coords dp=*,tp=2 --world 7", "needs a multiple of 2 ranks, and there are 7"),
            ("coords dp=2,tp=2 --world 8", "needs 4 ranks, and there are 8"),
            ("coords dp=* --world x", '--world: "x" is no whole number from 1 to 2147483647'),
            ("coords dp=* --world 0", '"0" is no whole number'), ("coords dp=* --world 2147483648", '"2147483648"'),
            ("coords dp=* --world 8x", '"8x" is no whole number'),
        ]:
            self.assert_refused(words, text)

    def test_of_axes(self):
        for words, text in [
            ("groups dp=2,tp=2", '--axis NAME is missing; the dimensions are "dp", "tp"'),
            ("draw dp=2,tp=2", "--axis NAME is missing"),
            ("groups dp=2 slice:dp=0", "--axis NAME is missing; the mesh has no dimensions"),
            ("groups dp=2,tp=2 --axis dq",
             'mesh has no dimension "dq"; its dimensions are "dp", "tp" (did you mean "dp"?)'),
            ("groups dp=2,tp=2 --axis dp,dp", 'names dimension "dp" twice'),
            ("groups dp=2,tp=2 --axis dp,", 'no dimension ""'),
        ]:
            self.assert_refused(words, text)

    def test_of_steps(self):
        for step, text in [
            ("flaten:dp", '"flaten:dp" is no step; the steps are ranks, submesh, others, permute, flatten, unflatten, '
                          'slice, rename (did you mean "flatten"?)'),
            ("", '"" is no step'), (":", '":" is no step'), ("Slice:dp=1", '(did you mean "slice"?)'),
            ("submesh:dq", '"submesh:dq": mesh has no dimension "dq"'), ("submesh", "submesh needs a name"),
            ("submesh:dp,dp", 'names dimension "dp" twice'), ("permute:dp", 'permute leaves out dimension "tp"'),
            ("others:", "others needs a name"), ("flatten:dp,tp=", "flatten needs a name that is not empty"),
            ("flatten:dp=tp", 'flatten makes a dimension "tp", and the mesh has one of that name'),
            ("unflatten:dp", '"unflatten:dp" is no step; write it as in unflatten:tp=a:2,b:2'),
            ("unflatten:dp=a", "write it as in unflatten:tp=a:2,b:2"),
            ("unflatten:dp=a:3", "the product is 3, not 4; a=4 would fit"),
            ("unflatten:dp=a:0", 'a: "0" is no whole number'), ("unflatten:dp=a:2,a:2", 'dimension "a" twice'),
            ("unflatten:dp=" + ",".join(f"x{i}:1" for i in range(100)), "takes 1 to 63 dimensions, not 100"),
            ("slice:dp", '"slice:dp" is no step; write it as in slice:dp=1'), ("slice:dp=", '"" is no whole number'),
            ("slice:dp=4", "is out of range; its extent is 4, so the coordinates are 0 to 3"),
            ("slice:dp=-1", '"dp" at -1 is out of range'), ("slice:dp=99999999999999999999", "is no whole number"),
            ("slice:=1", "slice needs a name"), ("rename:dp", "write it as in rename:tp=tensor"),
            ("rename:dp=tp", 'rename makes a dimension "tp"'), ("rename:dp=", "needs a name that is not empty"),
            ("ranks:0,1", "ranks takes one rank for each of the mesh's 8 positions, not 2"),
            ("ranks:", "8 positions, not 0"),
            ("ranks:0,1,2,3,4,5,6,8", "the rank 8, and the mesh has the ranks 0 to 7"),
            ("ranks:0,1,2,3,4,5,6,6", "gives rank 6 to the positions 6 and 7"),
            ("ranks:0,x", 'rank: "x" is no whole number'),
            ("ranks:-1", 'rank: "-1" is no whole number'),
        ]:
            self.assert_refused(["coords", "dp=4,tp=2", step], text)
        self.assert_refused("coords dp=2 flatten ranks:1,0", '"ranks:1,0": ranks numbers the positions of the whole')
        self.assert_refused("coords dp=2 ranks:1,0 ranks:1,0", "so it is the first step")
        self.assert_refused("coords dp=* ranks:1,0", "is dynamic")
        self.assert_refused("show dp=*,tp=2 permute:tp,dp", "it must stay outermost")
        self.assert_refused("show dp=* slice:dp=0", "the dimension is dynamic")

    def test_of_pictures(self):
        for words, text in [
            ("draw x=8 --node 0", '--node: "0" is no whole number from 1'), ("draw x=8 --node x", '--node: "x"'),
            ("draw x=4097", "draw shows up to 4096 ranks, and the mesh has 4097"),
            ("draw x=8 -o /nowhere/x.svg", '"/nowhere/x.svg" cannot be written: No such file or directory'),
            ("draw x=8 -o /", '"/" cannot be written'),
        ]:
            self.assert_refused(words, text)


if __name__ == "__main__":
    unittest.main()
