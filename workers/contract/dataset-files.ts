/** f32 pairs x, y by internal id. */
export const COORDINATES_FILE = 'coordinates'
/** In no order; the form of text labels. */
export const NAMES_FILE = 'names'
export const TILES_FOLDER = 'tiles'
/** JSON behind a checksum: the path of a person's file, among others. */
export const LINK_FILE = 'graph.link'

/** Beside the dataset's folder; its manifest.json is the journal. */
export const IMPORT_SCRATCH = '.import'
