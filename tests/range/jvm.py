"""A loader of Java's objects: the JVM's own, in a process of its own, with a filter of classes or without."""

import atexit
import base64
import subprocess
import tempfile
import threading
from pathlib import Path


class Jvm:
    """One Java process: a filter and a stream in base64 a line, and a line of what came of loading it."""

    SOURCE = """
    import java.io.*; import java.util.*;
    public class Loader {
      public static class Ticket implements Serializable { private static final long serialVersionUID = 7L;
        public int rides; public String holder, kind; public String toString() { return kind + " of " + holder; } }
      public static void main(String[] given) throws Exception {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in)); String line;
      while ((line = lines.readLine()) != null) { String told;
        try { String[] parts = line.split("[|]", 2); byte[] data = Base64.getDecoder().decode(parts[1]);
          ObjectInputStream in = parts[0].equals("xml") ? null : new ObjectInputStream(new ByteArrayInputStream(data));
          if (in == null) { told = "ok " + new java.beans.XMLDecoder(new ByteArrayInputStream(data)).readObject(); } else {
          if (!parts[0].isEmpty()) in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(parts[0]));
          Object found = in.readObject();
          told = "ok " + found; } } catch (Throwable broken) { told = broken.toString(); }
        System.out.println(told.replace("\\n", " ")); System.out.flush(); } } }
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None

    def load(self, line: str, allowed: str = "") -> str:
        """What came of it. allowed: Java's own filter of classes, none without."""
        with self.lock:
            if self.process is None:
                self.folder = tempfile.TemporaryDirectory()
                source = Path(self.folder.name) / "Loader.java"
                source.write_text(self.SOURCE)
                command = ["java", "-XX:TieredStopAtLevel=1", str(source)]
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
                )
                atexit.register(self.close)
            assert self.process.stdin
            assert self.process.stdout
            self.process.stdin.write(f"{allowed}|{line.replace(chr(10), ' ')}\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().strip()

    def carry_out(self, document: bytes) -> str:
        """What came of a document of XMLDecoder."""
        return self.load(base64.b64encode(document).decode(), "xml")

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.folder.cleanup()


def _text(text: str) -> bytes:
    return len(text).to_bytes(2, "big") + text.encode()


# As `ObjectOutputStream` writes a ticket: its class with three fields, then what they hold.
_CLASS = b"\x73\x72" + _text("Loader$Ticket") + (7).to_bytes(8, "big") + b"\x02\x00\x03I" + _text("rides")
_STRING = b"t" + _text("Ljava/lang/String;")
_FIELDS = b"L" + _text("holder") + _STRING + b"L" + _text("kind") + b"\x71\x00\x7e\x00\x01" + b"\x78\x70"
TICKET_BYTES = (
    b"\xac\xed\x00\x05" + _CLASS + _FIELDS + (3).to_bytes(4, "big") + b"t" + _text("Ida") + b"t" + _text("day")
)
TICKET = base64.b64encode(TICKET_BYTES).decode()
# The same of what writes more than its fields (`new ArrayList<>(List.of("tea", "cup"))`, a map of one), and of a number.
LIST = "rO0ABXNyABNqYXZhLnV0aWwuQXJyYXlMaXN0eIHSHZnHYZ0DAAFJAARzaXpleHAAAAACdwQAAAACdAADdGVhdAADY3VweA=="
MAP = (
    "rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAF3CAAAAAIAAAABdAAGaG9sZGVydAAD"
    "SWRheA=="
)
NUMBER = "rO0ABXNyABFqYXZhLmxhbmcuSW50ZWdlchLioKT3gYc4AgABSQAFdmFsdWV4cgAQamF2YS5sYW5nLk51bWJlcoaslR0LlOCLAgAAeHAAAAAH"
CALLS = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<java version="17" class="java.beans.XMLDecoder">\n'
    b' <object class="java.util.ArrayList"><void method="add"><string>tea</string></void></object>\n</java>\n'
)
JVM = Jvm()
