"""The compiled part of search; where it cannot be built, the package is complete without it."""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

# Sums are rounded as numpy rounds them: no multiplication and addition in one step.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-ffp-contract=off"]
if sys.platform != "win32" and "CFLAGS" not in os.environ:
    FLAGS += ["-O3", "-g0"]

FOLDER = "src/idnf/learning/local"

EXTENSIONS = cythonize(
    [
        Extension(
            f"idnf.learning.local.{name}",
            [f"{FOLDER}/{name}.pyx"],
            depends=[*glob(f"{FOLDER}/*.h"), *glob(f"{FOLDER}/*.pxi")],
            include_dirs=[FOLDER],
            extra_compile_args=FLAGS,
        )
        for name in ("_kernels", "_splits", "_votes")
    ]
)
# Said after cythonize, which does not hand it on.
for extension in EXTENSIONS:
    extension.optional = True

setup(ext_modules=EXTENSIONS)
