"""What the tests of the checks share."""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def run(script, files):
    """Exit status and output of a check on a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        result = subprocess.run([sys.executable, str(HERE / script), folder],
                                capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr
