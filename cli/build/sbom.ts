// The software bill of materials: the bundled packages in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), for scanners
// that look for known vulnerabilities. Without a time and a serial number, so that the same sources give the same bytes.
import type { BundledPackage } from "./bundled-packages.ts";

type Named = Pick<BundledPackage, "name" | "version" | "license">;

/** `main`: Vitrine itself. */
export function sbom(main: Named, packages: readonly Named[]): string {
  const components = new Map(packages.map((one) => [purl(one), component("library", one)]));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component("application", main) },
    components: [...components.values()],
    dependencies: [{ ref: purl(main), dependsOn: [...components.keys()] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component(type: "application" | "library", one: Named) {
  const { name, version, license } = one;
  return { type, "bom-ref": purl(one), name, version, purl: purl(one), licenses: [{ license: { id: license } }] };
}

/** The address of a package on npm (https://github.com/package-url/purl-spec). */
function purl({ name, version }: Named): string {
  return `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
}
