// anticlique/algorithms.py of the package for Python: a function for every algorithm of the catalogue, with its options by name.
import { load } from './program.mjs'

const WIDTH = 150

const start = `"""Every algorithm as a function, with its own options by name. Made from the program: npm run documents.

Each returns a Result; other arguments are those of \`anticlique.compute\`: devices, verify, library, output, columns, weight_rule, command, progress.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from ._results import Result
from ._runs import compute`

const types = {
  integer: 'int',
  number: 'float',
  bytes: 'int | str',
  seconds: 'float | str',
  text: 'str',
  switch: 'bool',
  file: 'Iterable[Any]',
}

/** The package's name of an option, or of an algorithm. */
const nameOf = (word) => word.replace(/^--/, '').replaceAll('-', '_')

const inPython = (sentence) => sentence.replaceAll(/--([a-z-]+)/g, (_, flag) => nameOf(flag))

function typeOf({ kind, choices, name }) {
  if (choices !== undefined) return `Literal[${choices.map(({ value }) => JSON.stringify(value)).join(', ')}]`
  return name === 'root' ? 'Any' : types[kind]
}

/** Words in lines of a docstring, which begin with blanks. */
function wrapped(text, indent, hanging = indent) {
  const lines = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = hanging
    }
    line += line.trim() === '' ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}

function explanationOf({ flag, kind, explanation, choices = [], default: usual }) {
  const meant =
    kind === 'file'
      ? explanation.replace(/, one id a line,/, '').replace('Lines "id,value"', 'A number for each vertex')
      : explanation
  const isUsual = (value) => (value === usual ? ' This is the default.' : '')
  const otherwise = usual === undefined || choices.length > 0 ? '' : ` Default: ${usual}.`
  return [
    wrapped(`${nameOf(flag)}: ${inPython(meant)}${otherwise}`, '    ', '        '),
    ...choices.map(({ value, explanation: means }) =>
      wrapped(`${value}: ${inPython(means)}${isUsual(value)}`, '        ', '            '),
    ),
  ]
}

/** Those that ask for attributes of vertices, which no graph has here. */
const ofAttributes = ['columnName', 'keepWhere', 'excludeWhere']

/** The argument of a function with its type and what it is where it is not named. */
const argumentOf = (option) =>
  option.name === 'verify' ? 'verify: bool = True' : `${option.argument}: ${typeOf(option)} | None = None`

function functionOf({ name, title, summary, whenToUse, paper, options }) {
  const own = options
    .filter((option) => !ofAttributes.includes(option.name))
    .map((option) => ({ ...option, argument: nameOf(option.flag) }))
  return [
    `def ${nameOf(name)}(`,
    '    graph: Any,',
    '    *,',
    ...own.map((option) => `    ${argumentOf(option)},`),
    '    **options: Any,',
    ') -> Result:',
    wrapped(`"""${title}. ${summary}`, '    '),
    '',
    wrapped(whenToUse, '    '),
    wrapped(`${paper.authors}: ${paper.title}. ${paper.venue}, ${paper.year}.`, '    '),
    '',
    ...own.flatMap(explanationOf),
    '    """',
    '    return compute(',
    '        graph,',
    `        ${JSON.stringify(name)},`,
    ...own.map(({ argument }) => `        ${argument}=${argument},`),
    '        **options,',
    '    )',
  ].join('\n')
}

export async function pythonAlgorithms(root) {
  const { algorithmEntries } = await load(root, 'workers/contract/catalogue.ts')
  const names = algorithmEntries.map(({ name }) => JSON.stringify(nameOf(name))).join(', ')
  const functions = algorithmEntries.map(functionOf)
  return `${[`${start}\n\n${wrapped(`__all__ = [${names}]`, '', '           ')}`, ...functions].join('\n\n\n')}\n`
}
