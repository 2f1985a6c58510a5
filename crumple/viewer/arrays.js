// Unpacks arrays that come as bytes: the length of a text, the text (JSON) that describes them, the arrays.

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array };

export function unpacked(content) {
  const length = new DataView(content).getUint32(0, true);
  const found = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 4, length)));
  let at = 4 + length;
  for (const [name, kind, count] of found.arrays) {
    found[name] = new TYPES[kind](content, at, count);
    at += Math.ceil((count * TYPES[kind].BYTES_PER_ELEMENT) / 4) * 4;
  }
  return found;
}
