// The camera: parallel projection, turned by yaw and pitch, and the same for runs side by side.

const VIEWS = { iso: [-0.45, -1, 0.45], "+x": [1, 0, 0], "-x": [-1, 0, 0], "+y": [0, 1, 0], "-y": [0, -1, 0], "+z": [0, 0, 1], "-z": [0, 0, -1] };
const SAMPLE = 20000; // points of which the reach is found
const ROOM = 1.06; // the model fills the frame but for a margin

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export class Camera {
  constructor() {
    this.centre = [0, 0, 0];
    this.radius = 1;
    this.half = 1; // half the height of the view, in the model's units
    this.shift = [0, 0];
    this.onChange = () => {};
    this.fitted = true;
    this.look("iso");
  }

  look(view) {
    const [x, y, z] = typeof view === "string" ? VIEWS[view] : view;
    this.yaw = Math.hypot(x, y) > 1e-6 ? Math.atan2(y, x) : -Math.PI / 2;
    this.pitch = Math.atan2(z, Math.hypot(x, y));
  }

  turn() {
    const eye = [Math.cos(this.pitch) * Math.cos(this.yaw), Math.cos(this.pitch) * Math.sin(this.yaw), Math.sin(this.pitch)];
    const right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    const up = cross(eye, right);
    return [right[0], up[0], eye[0], right[1], up[1], eye[1], right[2], up[2], eye[2]]; // by columns
  }

  // A point as the screen has it: to the right, up, towards the eye, in the model's units from the centre.
  seen(x, y, z) {
    const t = this.turn(), [a, b, c] = [x - this.centre[0], y - this.centre[1], z - this.centre[2]];
    return [t[0] * a + t[3] * b + t[6] * c, t[1] * a + t[4] * b + t[7] * c, t[2] * a + t[5] * b + t[8] * c];
  }

  // Puts points into the frame, just so that they fill it.
  fit(points, aspect) {
    const count = points.length / 3, step = Math.max(1, Math.floor(count / SAMPLE));
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < count; k += step) for (let c = 0; c < 3; ++c) {
      low[c] = Math.min(low[c], points[3 * k + c]);
      high[c] = Math.max(high[c], points[3 * k + c]);
    }
    if (!(high[0] >= low[0])) return;
    this.centre = low.map((x, c) => (x + high[c]) / 2);
    this.radius = 0.5 * Math.hypot(...low.map((x, c) => high[c] - x)) || 1;
    const t = this.turn(), least = [Infinity, Infinity], most = [-Infinity, -Infinity];
    for (let k = 0; k < count; k += step) {
      const [a, b, c] = [0, 1, 2].map((j) => points[3 * k + j] - this.centre[j]);
      for (let r = 0; r < 2; ++r) {
        const x = t[r] * a + t[3 + r] * b + t[6 + r] * c;
        least[r] = Math.min(least[r], x);
        most[r] = Math.max(most[r], x);
      }
    }
    this.shift = [0, 1].map((r) => -(least[r] + most[r]) / 2);
    this.half = (Math.max(most[1] - least[1], (most[0] - least[0]) / aspect, 1e-30) / 2) * ROOM;
    this.fitted = true;
  }

  turnBy(dx, dy) {
    this.yaw -= 0.008 * dx;
    this.pitch = Math.max(-1.5707, Math.min(1.5707, this.pitch + 0.008 * dy));
  }

  moveBy(dx, dy, height) {
    const one = (2 * this.half) / height;
    this.shift = [this.shift[0] + dx * one, this.shift[1] - dy * one];
    this.fitted = false;
  }

  // Nearer or farther, with the place under the mouse, (-1, -1) to (1, 1), where it is.
  zoomBy(factor, x, y, aspect) {
    const before = this.half;
    this.half = Math.max(this.radius * 1e-5, Math.min(this.radius * 20, before * factor));
    this.shift = [this.shift[0] + x * aspect * (this.half - before), this.shift[1] + y * (this.half - before)];
    this.fitted = false;
  }
}
