// Writes the document of an update feed from a few facts. `item` begins a release: version (an appcast's build), the version that
// users see, date, and marks such as `channel=beta`. `file` is one of its files: system, target or processor, link, and a mark.

export interface FeedItem {
  version: string;
  shown: string;
  date: string;
  /** By name; a mark without a value is `""`. */
  marks: Record<string, string>;
  files: { label: string; url: string; mark: string }[];
}

export function readItems(lines: readonly (readonly string[])[]): FeedItem[] {
  const items: FeedItem[] = [];
  for (const [word = "", first = "", second = "", third = "", fourth = ""] of lines) {
    if (word === "item") items.push({ version: first, shown: second, date: third, marks: marksOf(fourth), files: [] });
    else items.at(-1)?.files.push({ label: first, url: second, mark: third });
  }
  return items;
}

function marksOf(text: string): Record<string, string> {
  const marks = text.split(" ").filter((mark) => mark !== "");
  return Object.fromEntries(marks.map((mark) => mark.split("=", 2)).map(([name = "", value = ""]) => [name, value]));
}

export const WRITERS: Record<string, (items: readonly FeedItem[]) => string> = {
  sparkle: (items) =>
    `<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>${items.map(appcastItem).join("")}</channel></rss>`,
  "electron-builder": ([item]) => {
    const { version, date, marks, files } = item ?? NO_ITEM;
    const staged = marks["staging"];
    const old = files.filter(({ label }) => label === "path");
    return [
      `version: ${JSON.stringify(version)}`,
      ...(old.length > 0 ? [`path: ${JSON.stringify(old[0]?.url)}`] : ["files:"]),
      ...files.filter((file) => !old.includes(file)).map(({ url }) => `  - url: ${JSON.stringify(url)}`),
      ...(date === "" ? [] : [`releaseDate: '${date}'`]),
      ...(staged === undefined ? [] : [`stagingPercentage: ${staged}`]),
    ].join("\n");
  },
  tauri: ([item]) => {
    const { version, date, files } = item ?? NO_ITEM;
    const platforms = Object.fromEntries(files.map(({ label, url }) => [label, { signature: "", url }]));
    return JSON.stringify({ version, ...(date !== "" && { pub_date: date }), platforms });
  },
  autoupdater: ([item]) => {
    const { version, marks, files } = item ?? NO_ITEM;
    const { mandatory } = marks;
    const mark = mandatory === undefined ? "" : tag("mandatory", mandatory);
    return tag("item", tag("version", xml(version)) + tag("url", xml(files[0]?.url ?? "")) + mark);
  },
  squirrel: (items) => {
    const current = items.find(({ marks }) => marks["current"] !== undefined);
    if (!current) return items.flatMap(({ files }) => files.map(packageLine)).join("\n");
    const releases = items.map(({ version, date, files }) => ({
      version,
      updateTo: { version, pub_date: date, url: files[0]?.url },
    }));
    return JSON.stringify({ currentRelease: current.version, releases });
  },
  velopack: (items) =>
    JSON.stringify({
      Assets: items.map(({ version, marks, files }) => {
        return { Version: version, Type: Object.keys(marks)[0], FileName: files[0]?.url };
      }),
    }),
};

const NO_ITEM: FeedItem = { version: "", shown: "", date: "", marks: {}, files: [] };

function appcastItem({ version, shown, date, marks, files }: FeedItem): string {
  const { channel, hardware, maximum, information } = marks;
  const parts = [
    version !== "" && tag("sparkle:version", xml(version)),
    shown !== "" && tag("sparkle:shortVersionString", xml(shown)),
    date !== "" && tag("pubDate", xml(date)),
    channel !== undefined && tag("sparkle:channel", xml(channel)),
    hardware !== undefined && tag("sparkle:hardwareRequirements", xml(hardware)),
    maximum !== undefined && tag("sparkle:maximumSystemVersion", xml(maximum)),
    information !== undefined && tag("sparkle:informationalUpdate", ""),
    ...files.map(({ label, url, mark }) => {
      const os = label === "" ? "" : ` sparkle:os="${xml(label)}"`;
      return `<enclosure url="${xml(url)}"${os}${mark === "delta" ? ' sparkle:deltaFrom="1"' : ""}/>`;
    }),
  ];
  return tag("item", parts.filter((part) => part !== false).join(""));
}

function packageLine({ url, mark }: { url: string; mark: string }): string {
  return `0d777ea94c612e8bf1ea7379164caefba6e24463 ${url} 600752${mark === "" ? "" : ` # ${mark}`}`;
}

function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
