# SPDX-License-Identifier: BSL-1.0
"""Draws curves over numbers of ranks, both axes logarithmic."""
import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "axial", "svg.fonttype": "none", "font.size": 9, "axes.grid": True,
                            "grid.color": "#dddddd"})
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = ["#0072b2", "#009e73", "#e69f00", "#cc79a7", "#d55e00"]  # Okabe and Ito's, told apart by all


def draw(file, title, note, xlabel, panels):
    """The whole picture: `panels` {title: {name: [(x, y)]}} of positive numbers, all with the same names."""
    figure, diagrams = plt.subplots(1, len(panels), figsize=(4 * len(panels), 4.6))
    for axes, (name, curves) in zip(diagrams, panels.items()):
        for i, (colour, (label, points)) in enumerate(zip(COLOURS, curves.items())):
            width = 1.2 * (len(curves) - i)  # later curves are thinner, so that earlier ones show under them
            axes.plot(*zip(*points), color=colour, linewidth=width, marker="o", markersize=2 + width, label=label)
        axes.set(title=name, xlabel=xlabel)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.minorticks_off()
    figure.suptitle(title, x=0.02, ha="left", weight="bold")
    figure.legend(*diagrams[0].get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(0.01, 0.95),
                  ncols=len(COLOURS), frameon=False)
    figure.text(0.02, 0.01, note, color="#555555", size=8)
    figure.tight_layout(rect=(0, 0.03, 1, 0.9))
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
