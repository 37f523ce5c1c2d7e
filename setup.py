"""The compiled part of search; where it cannot be built, the package is complete without it."""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]

FOLDER = "src/idnf/learning/local"

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"idnf.learning.local.{name}",
                [f"{FOLDER}/{name}.pyx"],
                depends=[f"{FOLDER}/accumulate.h"],
                include_dirs=[FOLDER],
                extra_compile_args=FLAGS,
                optional=True,
            )
            for name in ("_kernels", "_votes")
        ]
    )
)
