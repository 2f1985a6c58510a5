// Numbers and elements of the page. Everything from a run is put in as text, never as HTML.

export const get = (id) => document.getElementById(id);

// Five digits; powers of ten for what is very large or small.
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(5)));
  const [mantissa, exponent] = value.toExponential(3).split("e");
  const raised = [...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
  return `${Number(mantissa)}×10${raised}`;
}

export const withUnit = (value, unit) => (unit ? `${number(value)} ${unit}` : number(value));

export function element(tag, content, settings) {
  return Object.assign(document.createElement(tag), content === undefined ? {} : { textContent: content }, settings);
}
