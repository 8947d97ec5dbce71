// One accent of the vendor's choice, made readable on light and on dark ground: a colour is moved towards black or white
// until it has the contrast that small text needs (WCAG 2, 1.4.3), with some to spare.

/** Hexadecimal, `#rrggbb`. */
export type Colour = string;

export const GROUND = { light: "#fbfbf9", dark: "#121514" } as const;

/** Asked for is 4.5. */
const CONTRAST = 5.5;

/** The accent as it is used on light and on dark ground. */
export function accents(colour: Colour): { light: Colour; dark: Colour } {
  return { light: readable(colour, GROUND.light, "#000000"), dark: readable(colour, GROUND.dark, "#ffffff") };
}

/** The contrast of two colours, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function readable(colour: Colour, ground: Colour, pole: Colour): Colour {
  for (let part = 0; part < 100; part++) {
    const candidate = mixed(colour, pole, part / 100);
    if (contrast(candidate, ground) >= CONTRAST) return candidate;
  }
  return pole;
}

function mixed(colour: Colour, pole: Colour, part: number): Colour {
  const [from, to] = [channels(colour), channels(pole)];
  const mix = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part));
  return `#${mix.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: Colour): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
