"""Runs a command whose standard output is a file that is deleted already, and prints what is in it."""
import subprocess
import sys
import tempfile

with tempfile.TemporaryFile() as file:
    result = subprocess.run(sys.argv[1:], stdout=file).returncode
    file.seek(0)
    sys.stdout.buffer.write(file.read())
sys.exit(result)
