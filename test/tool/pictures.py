#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""`axial draw`: the right cells and colours, text that can be read and lies neither over another nor outside."""
import itertools
import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

from tool import ToolTest

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"title": 16, "label": 12, "row": 12, "column": 12, "rank": 14, "coords": 10, "node": 10}
MESHES = ["dp=2,tp=4 --axis tp", "dp=2,tp=4 --axis dp --node 2", "pp=4,dp=4,tp=4 --axis dp --node 8",
          "pp=8,dp=8,tp=8 --axis tp", "pp=8,dp=8,tp=8 --axis dp --node 8", "x=16 --node 4", "x=512 --node 8",
          "a=16,b=32 --axis a --node 8", "a=2,b=256 --axis b", "dp=4,cp=2,tp=4 slice:cp=1 --axis dp --node 4",
          "dp=4,cp=2,tp=4 submesh:tp,dp --axis tp --node 6", "a=2,b=2,c=2,d=2,e=2,f=2 --axis f",
          "a_very_long_name_of_an_axis=2,another_very_long_name=2 --axis another_very_long_name",
          "a=3,b=5,c=7 --axis a,c",
          "pp=2,dp=2,tp=2 slice:pp=0 slice:dp=1 --axis tp"]


class Picture:
    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.size = float(self.root.get("width")), float(self.root.get("height"))
        self.cells = [one for one in self.root.iter(SVG + "rect") if one.get("class") == "cell"]

    def texts(self, kind=None):
        return [one for one in self.root.iter(SVG + "text") if kind in (None, one.get("class"))]

    def box(self, text):
        """left, top, right, bottom; a monospaced font's characters are 0.602 of its size wide."""
        size = SIZES[text.get("class")]
        x, y, width = float(text.get("x")), float(text.get("y")), 0.602 * size * len(text.text or "")
        left = x - {"row": width, "column": width / 2, "rank": width / 2, "coords": width / 2}.get(text.get("class"), 0)
        return left, y - 0.76 * size, left + width, y + 0.1 * size  # digits and capitals; no descenders

    def at(self, cell):
        left, top = float(cell.get("x")), float(cell.get("y"))
        return left, top, left + float(cell.get("width")), top + float(cell.get("height"))

    def colour_of_ranks(self):
        centres = {}
        for text in self.texts("rank"):
            centres[(float(text.get("x")), float(text.get("y")))] = int(text.text)
        colours = {}
        for cell in self.cells:
            left, top, right, bottom = self.at(cell)
            inside = [rank for (x, y), rank in centres.items() if left < x < right and top < y < bottom]
            assert len(inside) == 1, inside
            colours[inside[0]] = cell.get("fill")
        return colours


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


class Pictures(ToolTest):
    def picture(self, words):
        return Picture(self.output("draw " + words))

    def test_every_rank_has_one_cell_and_its_coordinates(self):
        for words in MESHES:
            picture, mesh = self.picture(words), words.split(" --")[0]
            coordinates = dict(line.split("\t") for line in self.lines(f"coords {mesh} --tsv"))
            self.assertEqual(sorted(picture.colour_of_ranks()), sorted(map(int, coordinates)))
            self.assertEqual(sorted(text.text for text in picture.texts("coords")),
                             sorted(text for text in coordinates.values() if text != "-"))

    def test_a_group_has_one_colour_and_neighbours_have_others(self):
        for words in MESHES:
            picture = self.picture(words)
            colours = picture.colour_of_ranks()
            groups = self.lines("groups " + re.sub(" --node .*", "", words) + " --tsv")
            for group in groups:
                self.assertEqual(len({colours[int(rank)] for rank in group.split()}), 1, group)
            drawn = {colours[int(rank)] for group in groups for rank in group.split()}
            self.assertEqual(len(drawn), min(len(groups), 24), words)
            self.assertEqual(len(set(colours.values()) - drawn), int("slice" in words))

    def test_the_number_of_colours_avoids_the_length_of_the_rows(self):
        # With 24 colours the cell below would have the same one.
        colours = self.picture("x=2,y=3,z=24 --axis x").colour_of_ranks()
        for rank in range(48):
            self.assertNotEqual(colours[rank], colours[rank + 24])

    def test_no_text_lies_over_another_or_leaves_the_picture(self):
        for words in MESHES:
            picture = self.picture(words)
            tiles = defaultdict(list)
            for text in picture.texts():
                box = picture.box(text)
                self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= picture.size[0] and box[3] <= picture.size[1],
                                (words, text.text))
                for tile in itertools.product(range(int(box[0] // 100), int(box[2] // 100) + 1),
                                              range(int(box[1] // 100), int(box[3] // 100) + 1)):
                    tiles[tile].append((box, text.text))
            for texts in tiles.values():
                for (a, one), (b, other) in itertools.combinations(texts, 2):
                    self.assertFalse(overlap(a, b), (words, one, other))

    def test_what_is_in_a_cell_stays_in_it_and_cells_do_not_overlap(self):
        for words in MESHES:
            picture = self.picture(words)
            boxes = sorted(picture.at(cell) for cell in picture.cells)
            self.assertEqual(len({box[:2] for box in boxes}), len(boxes))
            corners = {box[:2]: box for box in boxes}
            width, height = boxes[0][2] - boxes[0][0], boxes[0][3] - boxes[0][1]
            for text in picture.texts("rank") + picture.texts("coords"):
                box = picture.box(text)
                inside = [c for c in corners.values()
                          if c[0] + 3 < box[0] and box[2] < c[2] - 3 and c[1] < box[1] and box[3] < c[3]]
                self.assertEqual(len(inside), 1, (words, text.text))
            for left, top, right, bottom in boxes:
                self.assertEqual((right - left, bottom - top), (width, height))

    def test_text_is_readable_on_every_colour(self):
        text = luminance("#111111")
        for colour in set(self.picture("x=24,y=2 --axis y").colour_of_ranks().values()):
            self.assertGreater((luminance(colour) + 0.05) / (text + 0.05), 4.5, colour)

    def test_outlines_begin_where_another_node_is(self):
        picture = self.picture("dp=2,tp=4 --axis tp --node 2")
        self.assertEqual([text.text for text in picture.texts("node")], ["n0", "n1", "n2", "n3"])
        self.assertEqual(len(list(picture.root.iter(SVG + "path"))), 8)
        # A node in two places is named in both.
        apart = self.picture("dp=4,cp=2,tp=4 submesh:tp,dp --axis tp --node 6")
        self.assertEqual([text.text for text in apart.texts("node")].count("n1"), 2)
        self.assertEqual(list(self.picture("dp=2,tp=4 --axis tp").root.iter(SVG + "path")), [])

    def test_names_are_escaped(self):
        code = '<&">\u00e9'
        picture = Picture(self.output("draw", f"{code}=2", "--axis", code))
        self.assertEqual(picture.texts("title")[0].text, code + "=2")

    def test_a_file_holds_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.svg"
            self.assertEqual(self.output("draw", "x=8", "-o", str(path)), "")
            self.assertEqual(path.read_text(), self.output("draw x=8"))


if __name__ == "__main__":
    unittest.main()
