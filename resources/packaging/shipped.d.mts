/** Platforms as `linux-x64`, with the npm package that brings Node 24 to each. */
export const nodePackages: Readonly<Record<string, string>>

export function nativePackages(platform: string): readonly string[]

export interface ShippedComponent {
  readonly name: string
  readonly version: string
  /** SPDX; null where none is declared. */
  readonly licence: string | null
  /** null where its author gives none, and for packages of other platforms. */
  readonly text: string | null
  /** Hexadecimal. */
  readonly sha512: string
}

export function shippedComponents(root: string, platform: string): readonly ShippedComponent[]

export function noticesOf(components: readonly ShippedComponent[]): string

/** CycloneDX 1.5. */
export function billOfMaterials(name: string, version: string, components: readonly ShippedComponent[]): string
