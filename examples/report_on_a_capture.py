"""Write a report and print its findings: `python report_on_a_capture.py namenode.pcap.gz FOLDER`.

Needs the extra `report`.
"""

import sys
from pathlib import Path

from jvmwire.report import ReportOptions, report_captures

capture, folder = map(Path, sys.argv[1:])
made = report_captures([capture], folder, options=ReportOptions(title="Our NameNode"))
for number, sentence in enumerate(made.lines):
    print(f"{number}. {sentence}")
print(f"The page is {made.page}")
