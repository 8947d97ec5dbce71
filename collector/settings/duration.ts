// Durations in the settings: 30s, 15m, 24h, 7d.
import * as z from "zod";

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A setting for a duration of at most `longest`, parsed to ms. */
export function duration(fallback: string, longest: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,5}[smhd]$/, "use a duration such as 30s, 15m or 24h")
    .refine((text) => !(milliseconds(text) > milliseconds(longest)), `must be at most ${longest}`)
    .default(fallback)
    .transform(milliseconds);
}

function milliseconds(text: string): number {
  return Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? Number.NaN);
}
