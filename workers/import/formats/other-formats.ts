import { type Failure, inputFailure } from '../../base/failure.ts'

/** A format that is refused by name, with a way out. */
interface OtherFormat {
  readonly name: string
  /** What its first bytes are, or the end of its name. */
  readonly begins?: RegExp
  readonly called?: RegExp
  readonly remedy: string
}

const asTable = 'Save it as CSV (in Excel: "CSV UTF-8"), and import that.'
const asGraphMl = 'Write it as GraphML or as an edge list: networkx, igraph and Gephi read and write both.'
const unpacked = (program: string) => `Unpack it with ${program} -dc, or write it as gzip, which is read as it is.`

/** Files that people take for graphs, by their first bytes as latin1. */
const otherFormats: readonly OtherFormat[] = [
  { name: 'an Excel workbook, or another zip archive', begins: /^PK\x03\x04/, remedy: asTable },
  { name: 'an Excel 97 workbook', begins: /^\xd0\xcf\x11\xe0/, remedy: asTable },
  { name: 'text whose lines end in a carriage return alone', begins: /^[^\n]*\r[^\n]+$/, remedy: asTable },
  { name: 'UTF-16 text', begins: /^(?:\xff\xfe|\xfe\xff)/, remedy: `Save it as UTF-8. ${asTable}` },
  { name: 'compressed with zstd', begins: /^\x28\xb5\x2f\xfd/, remedy: unpacked('zstd') },
  { name: 'compressed with bzip2', begins: /^BZh\d/, remedy: unpacked('bzip2') },
  { name: 'compressed with xz', begins: /^\xfd7zXZ/, remedy: unpacked('xz') },
  { name: 'compressed with lz4', begins: /^\x04\x22\x4d\x18/, remedy: unpacked('lz4') },
  { name: 'HDF5', begins: /^\x89HDF\r\n/, remedy: 'Write the graph as an edge list or as Parquet.' },
  { name: 'a MATLAB file', begins: /^MATLAB 5\.0/, remedy: 'Write the matrix with mmwrite, as Matrix Market.' },
  { name: 'a NumPy array', begins: /^\x93NUMPY/, remedy: 'Write it as text with numpy.savetxt, or as Parquet.' },
  { name: 'an SQLite database', begins: /^SQLite format 3/, remedy: asTable },
  { name: 'a graph-tool file', begins: /^\xe2\x9b\xbe gt/, remedy: asGraphMl },
  { name: 'a NetworKit binary graph', begins: /^nkbg00/, remedy: 'Write it as METIS or as an edge list.' },
  {
    name: 'DOT (Graphviz)',
    begins:
      /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*\n|#.*\n)*(?:strict\s+)?(?:di)?graph(?:\s+(?:"[^"]*"|[\w.-]+)\s*|\s*)\{/i,
    remedy: asGraphMl,
  },
  {
    name: 'Pajek',
    begins: /^(?:\s|%.*\n)*\*(?:vertices|network|arcs|edges|matrix)\b/i,
    remedy: asGraphMl,
  },
  {
    name: 'GML',
    begins: /^(?:\s|#.*\n|(?:creator|version|comment|label|directed)\b.*\n)*graph\s*\[/i,
    remedy: asGraphMl,
  },
  {
    name: 'JSON, such as networkx (node-link), Cytoscape.js and D3 write',
    begins: /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d])/,
    remedy: 'Write the graph as GraphML (nx.write_graphml; Cytoscape: export the network), or its edges as CSV.',
  },
  {
    name: 'a SIF file of Cytoscape',
    called: /\.sif$/i,
    remedy:
      'Export the network as GraphML; or, where every line has three columns, import it as an edge list from column 1 to 3.',
  },
  { name: 'an LGL file, whose lines with # are vertices', called: /\.lgl$/i, remedy: 'Write it as NCOL or GraphML.' },
  { name: 'a list of neighbours', called: /\.(?:adjlist|multiline_adjlist)$/i, remedy: asGraphMl },
  { name: 'TGF (trivial graph format)', called: /\.tgf$/i, remedy: asGraphMl },
  { name: 'UCINET DL', begins: /^\s*dl[\s,]+(?:n[rcm]?|format)\s*=/i, remedy: asGraphMl },
  { name: 'GDF (GUESS, Gephi)', begins: /^\s*nodedef\s*>/i, remedy: asGraphMl },
  { name: 'VNA (NetDraw)', begins: /^\s*\*(?:node|tie) (?:data|properties)\b/i, remedy: asGraphMl },
  { name: 'TLP (Tulip)', begins: /^\s*\(tlp\s/, remedy: asGraphMl },
  { name: 'LEDA', begins: /^\s*LEDA\.GRAPH\b/, remedy: asGraphMl },
  { name: 'graph6 or sparse6', begins: /^>>(?:graph|digraph|sparse)6<</, remedy: asGraphMl },
  { name: 'an LG file of Graphs.jl', begins: /^\d+,\s*\d+,\s*[du],.*simple(?:di)?graph/, remedy: asGraphMl },
  {
    name: 'a list of tuples in brackets',
    begins: /^\s*\([^,()\n]+,[^,()\n]+\)\s*,?\s*\n/,
    remedy: 'Write two ids in a line, without brackets: nx.write_edgelist(G, path, data=False).',
  },
  {
    name: 'an SQL dump',
    begins:
      /^(?:\s|--.*\n|\/\*(?:[^*]|\*(?!\/))*\*\/;?)*(?:pragma \w|begin\b.*;|create table|insert into|set \w+ *=|copy \S+ \()/i,
    remedy: 'Export the table as CSV, and import that.',
  },
  {
    name: 'RDF (Turtle or N-Triples)',
    begins: /^\s*(?:@(?:prefix|base)\s|<[^<>\s]+>\s+<[^<>\s]+>\s)/i,
    remedy: 'Write its subjects and objects as a table of two columns.',
  },
  { name: 'a LEMON graph', begins: /^\s*@(?:nodes|arcs|edges)\b/, remedy: asGraphMl },
  { name: 'GraphStream DGS', begins: /^DGS00\d/, remedy: asGraphMl },
  { name: 'a web page', begins: /^\s*<(?:!doctype html|html)\b/i, remedy: 'Download the file itself.' },
  { name: 'XML, but neither GraphML nor GEXF', begins: /^\s*</, remedy: 'Is its root element right?' },
]

const HEAD_BYTES = 4096

/** @throws Failure (input) for a file that is known to be something else */
export function refuseOtherFormat(sample: Uint8Array, path: string): void {
  const head = Buffer.from(sample.subarray(0, HEAD_BYTES)).toString('latin1')
  const name = path.replace(/\.(?:gz|bgz)$/i, '')
  const other = otherFormats.find(({ begins, called }) => begins?.test(head) === true || called?.test(name) === true)
  if (other !== undefined) throw otherFormat(path, other)
}

function otherFormat(path: string, { name, remedy }: OtherFormat): Failure {
  return inputFailure(`${path}:1`, `this is ${name}, which is not read here`, remedy)
}
