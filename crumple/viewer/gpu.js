// Programs and textures of WebGL 2. Arrays are textures of 2048 columns.

const COLUMNS = 2048;

export function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) || "no shaders");
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); ++k) {
    const { name } = gl.getActiveUniform(made, k);
    uniforms[name] = gl.getUniformLocation(made, name);
  }
  return { made, uniforms };
}

const FORMS = (gl) => ({
  u1: [gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE, 1, Uint8Array],
  u4: [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, 1, Uint32Array],
  u4x2: [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, 2, Uint32Array],
  u4x4: [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 4, Uint32Array],
  f4: [gl.R32F, gl.RED, gl.FLOAT, 1, Float32Array],
  f4x3: [gl.RGB32F, gl.RGB, gl.FLOAT, 3, Float32Array],
  colour: [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 4, Uint8Array],
});

// An array in a texture: whole rows at once, and the last one filled up.
export class ArrayTexture {
  constructor(gl, form) {
    this.gl = gl;
    this.form = FORMS(gl)[form];
    this.texture = gl.createTexture();
    this.rows = 0;
  }

  fill(content) {
    const { gl, texture } = this, [inside, format, type, width, Kind] = this.form;
    const row = COLUMNS * width, rows = Math.max(1, Math.ceil(content.length / row)), full = Math.floor(content.length / row);
    gl.activeTexture(gl.TEXTURE15);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    if (rows !== this.rows) {
      gl.texImage2D(gl.TEXTURE_2D, 0, inside, COLUMNS, rows, 0, format, type, null);
      for (const what of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, what, gl.NEAREST);
      this.rows = rows;
    }
    if (full) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, COLUMNS, full, format, type, content, 0);
    if (full < rows) {
      const last = new Kind(row);
      last.set(content.subarray(full * row));
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, full, COLUMNS, 1, format, type, last);
    }
    return this;
  }
}

// A table of colours with the shades between them.
export class ColourTexture {
  constructor(gl) {
    this.gl = gl;
    this.texture = gl.createTexture();
  }

  fill(rows) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE15);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, rows.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(rows.flatMap((rgb) => [...rgb, 255])));
    for (const [what, how] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, what, how);
  }
}

export function bind(gl, { uniforms }, textures) {
  let unit = 0;
  for (const [name, one] of Object.entries(textures)) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, one.texture);
    gl.uniform1i(uniforms[name] ?? null, unit++);
  }
}
