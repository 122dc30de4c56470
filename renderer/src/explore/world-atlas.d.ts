declare module 'world-atlas/land-50m.json' {
  import type { GeometryCollection, Topology } from 'topojson-specification'
  const atlas: Topology<{ readonly land: GeometryCollection }>
  export default atlas
}
