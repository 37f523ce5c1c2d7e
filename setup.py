"""The compiled part of search; where it cannot be built, the package is complete without it."""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-ffp-contract=off"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                "idnf.learning.local._kernels",
                ["src/idnf/learning/local/_kernels.pyx"],
                depends=["src/idnf/learning/local/accumulate.h"],
                include_dirs=["src/idnf/learning/local"],
                extra_compile_args=FLAGS,
                optional=True,
            )
        ]
    )
)
