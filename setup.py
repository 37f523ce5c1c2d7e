"""The compiled part of search, a module for each `.pyx` file.

Without a C compiler the installation fails and says so, unless the environment has IDNF_KERNELS=numpy: then the package
is complete without it, and many times slower.
"""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

# Sums are rounded as numpy rounds them: no multiplication and addition in one step.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-ffp-contract=off"]
if sys.platform != "win32" and "CFLAGS" not in os.environ:
    FLAGS += ["-O3", "-g0"]

FOLDER = "src/idnf/learning/local/compiled"


class BuildKernels(build_ext):
    """Say what to do if there is no compiler: pip shows the end of the output of an installation that fails."""

    def run(self) -> None:
        """Compile."""
        try:
            super().run()
        except (BaseError, CCompilerError) as error:
            raise SystemExit(
                f"{error}\n\n"
                "idnf needs a C compiler for the inner loops of search. Debian: apt install gcc; macOS: xcode-select "
                "--install; Windows: the C++ build tools of Visual Studio.\n"
                "Or install it without: IDNF_KERNELS=numpy pip install idnf. Search then finds the same models, many "
                "times slower."
            ) from error


def kernels() -> list[Extension]:
    """Return the compiled modules."""
    headers = [*glob(f"{FOLDER}/*.h"), *glob(f"{FOLDER}/*.pxd")]
    sources = sorted(glob(f"{FOLDER}/*.pyx"))
    names = [os.path.splitext(os.path.basename(path))[0] for path in sources]
    return cythonize(
        [
            Extension(
                f"idnf.learning.local.compiled.{name}",
                [path],
                depends=headers,
                include_dirs=[FOLDER],
                extra_compile_args=FLAGS,
            )
            for name, path in zip(names, sources)
        ],
        include_path=["src"],
    )


setup(
    ext_modules=[] if os.environ.get("IDNF_KERNELS") == "numpy" else kernels(),
    cmdclass={"build_ext": BuildKernels},
)
