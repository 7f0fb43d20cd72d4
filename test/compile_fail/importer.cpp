// SPDX-License-Identifier: BSL-1.0
// The file whose compile command check.py borrows.
import axial;
