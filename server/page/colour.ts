// The vendor's accent colour, made readable on light and on dark backgrounds: it is darkened or lightened until it has
// the contrast that small text needs (WCAG 2, 1.4.3), with a margin.

/** Hexadecimal, `#rrggbb`. */
export type Colour = string;

export const GROUND = { light: "#fbfbf9", dark: "#121514" } as const;

/** WCAG requires 4.5. */
const MIN_CONTRAST = 5.5;

/** The accent for a light and for a dark background. */
export function accents(colour: Colour): { light: Colour; dark: Colour } {
  return { light: readable(colour, GROUND.light, -1), dark: readable(colour, GROUND.dark, 1) };
}

/** The contrast of two colours, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Changes the lightness only, so that it stays the vendor's colour. `step`: towards black or white. */
function readable(colour: Colour, ground: Colour, step: -1 | 1): Colour {
  const { hue, saturation, lightness } = asHsl(colour);
  for (let light = lightness; light >= 0 && light <= 1; light += step / 200) {
    const candidate = light === lightness ? colour : fromHsl({ hue, saturation, lightness: light });
    if (contrast(candidate, ground) >= MIN_CONTRAST) return candidate;
  }
  return step === 1 ? "#ffffff" : "#000000";
}

/** `hue`: in sixths of a turn; the others are 0 to 1. */
interface Hsl {
  hue: number;
  saturation: number;
  lightness: number;
}

function asHsl(colour: Colour): Hsl {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => value / 255);
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const [lightness, chroma] = [(least + most) / 2, most - least];
  if (chroma === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = chroma / (1 - Math.abs(2 * lightness - 1));
  if (most === red) return { hue: ((green - blue) / chroma + 6) % 6, saturation, lightness };
  const hue = most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
  return { hue, saturation, lightness };
}

function fromHsl({ hue, saturation, lightness }: Hsl): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (start: number) => {
    const turn = (start + hue * 2) % 12;
    return lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
  };
  return `#${[0, 8, 4]
    .map((start) =>
      Math.round(channel(start) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
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
