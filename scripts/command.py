"""The command `tulle` as the scripts that write pages run it."""

import os
import subprocess


def run(*command):
    """What it prints, in the same words everywhere."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
