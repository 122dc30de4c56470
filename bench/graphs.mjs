// The graphs that are measured, by name: what `anticlique generate` makes them with. R-MAT ids are not shuffled unless the name says so.
const rmat = (scale, edgeFactor) => ({ model: 'rmat', scale, edgeFactor })
const torus = (side) => ({ model: 'torus3', width: side, height: side, depth: side })
const grid = (side) => ({ model: 'grid', rows: side, columns: side })

const models = {
  rmat18x16: rmat(18, 16),
  rmat20x8: { ...rmat(20, 8), shuffle: true },
  rmat20x16: rmat(20, 16),
  rmat21x16: rmat(21, 16),
  'rmat21x16-shuffled': { ...rmat(21, 16), shuffle: true },
  rmat21x48: rmat(21, 48),
  rmat22x8: rmat(22, 8),
  rmat22x16: rmat(22, 16),
  rmat23x16: rmat(23, 16),
  rmat24x16: rmat(24, 16),
  rmat26x16: rmat(26, 16),
  rmat27x16: rmat(27, 16),
  uniform16: { model: 'uniform', vertices: 2 ** 16, degree: 48 },
  uniform20: { model: 'uniform', vertices: 2 ** 20, degree: 16 },
  uniform22x16: { model: 'uniform', vertices: 2 ** 22, degree: 16 },
  'uniform22x16-shuffled': { model: 'uniform', vertices: 2 ** 22, degree: 16, shuffle: true },
  uniform23: { model: 'uniform', vertices: 2 ** 23, degree: 8 },
  uniform24: { model: 'uniform', vertices: 2 ** 24, degree: 16 },
  uniform26: { model: 'uniform', vertices: 2 ** 26, degree: 16 },
  grid1024: grid(1024),
  grid4096: grid(4096),
  torus8: torus(8),
  torus16: torus(16),
  torus32: torus(32),
  torus64: torus(64),
  torus128: torus(128),
  torus256: torus(256),
  torus512: torus(512),
  kout22x16: { model: 'kout', vertices: 2 ** 22, degree: 16 },
  regular22x16: { model: 'regular', vertices: 2 ** 22, degree: 16 },
  geometric22x16: { model: 'geometric', vertices: 2 ** 22, degree: 16 },
  chains24: { model: 'chains', vertices: 2 ** 24, length: 200 },
  kout19: { model: 'kout', vertices: 2 ** 19, degree: 12 },
  geometric14: { model: 'geometric', vertices: 2 ** 14, degree: 6 },
  geometric26: { model: 'geometric', vertices: 2 ** 26, degree: 12 },
  geometric22: { model: 'geometric', vertices: 2 ** 22, degree: 6 },
}

/** A model with 2^down times fewer vertices. */
function scaledDown({ scale, vertices, rows, columns, width, height, depth, ...rest }, down) {
  const side = (length) => Math.max(1, Math.round(length / 2 ** (down / 2)))
  // Even, as lattices of two colours are.
  const edge = (length) => Math.max(4, 2 * Math.round(length / 2 / 2 ** (down / 3)))
  return {
    ...rest,
    ...(width === undefined ? {} : { width: edge(width), height: edge(height), depth: edge(depth) }),
    ...(scale === undefined ? {} : { scale: Math.max(1, scale - down) }),
    ...(vertices === undefined ? {} : { vertices: Math.max(2, Math.round(vertices / 2 ** down)) }),
    ...(rows === undefined ? {} : { rows: side(rows), columns: side(columns) }),
  }
}

/** What a graph is generated from, as the contract has it. @throws Error for a name that is none */
export function generatorChoice(name, down) {
  if (models[name] === undefined) throw new Error(`no graph "${name}"; there are ${Object.keys(models).join(', ')}`)
  return scaledDown(models[name], down)
}

/** The words of `anticlique generate` for a graph. */
export function generatorWords(name, down) {
  const { model, shuffle, ...parameters } = generatorChoice(name, down)
  const flag = (key) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const flags = Object.entries(parameters).flatMap(([key, value]) => [flag(key), String(value)])
  return [model, ...flags, ...(shuffle === true ? ['--shuffle'] : []), '--seed', '1']
}
