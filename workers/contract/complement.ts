/**
 * The size of the complement of a graph: the same vertices, each joined to all others but those that it was joined to. Its independent sets are the
 * cliques of the graph. It has nearly the square of the vertices in edges, whatever the graph has, so that only small graphs have one here.
 */

/** The most arcs of a complement: lists of 2 GiB, as of 23,000 vertices. */
export const MOST_COMPLEMENT_ARCS = 2 ** 29

export const complementArcs = (vertices: number, arcs: number): number => vertices * (vertices - 1) - arcs

export const nameOfComplement = (name: string): string => `${name}-complement`
