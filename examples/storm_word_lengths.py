"""Try a bolt without Storm: `python storm_word_lengths.py`.

Needs no extra. `jvmwire docs storm` explains how Storm runs the same class.
"""

from jvmwire.storm import Bolt, Tuple
from jvmwire.storm.testing import StormHarness


class Lengths(Bolt):
    """Emit each word with its length."""

    outputs = ("word", "length")

    def process(self, tup: Tuple) -> None:
        """Emit a tuple."""
        [word] = tup.values
        self.emit([word, len(word)])


with StormHarness(Lengths) as storm:
    said = storm.process(["storm"], ["hama"])
for emitted in said.emitted:
    print(*emitted.values)
print(f"{len(said.acked)} tuples are acknowledged, {len(said.failed)} have failed")
