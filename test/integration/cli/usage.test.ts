import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CommandLineHere, linesOf } from './command-line.ts'

let cli: CommandLineHere
beforeAll(() => {
  cli = new CommandLineHere()
  cli.write('path.txt', '1 2\n2 3\n')
  mkdirSync(join(cli.folder, 'folder'))
})

const commands = [
  ...['devices', 'import', 'generate', 'sample', 'datasets', 'plan', 'run', 'runs', 'verify', 'export', 'coarsen'],
  ...['archive', 'batch', 'bench', 'compare', 'rerun', 'schema', 'serve'],
]

describe('help', () => {
  test('alone, the program explains itself with first steps', async () => {
    const [bare, help] = await Promise.all([cli.run(), cli.run('--help')])
    expect(bare).toEqual(help)
    expect(help.code).toBe(0)
    const named = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set([...commands, 'help', 'anticlique']))
    expect(help.stdout).toContain('anticlique sample cities --radius-km 10')
    expect(help.stderr).toBe('')
  })

  test.each(commands)('%s --help explains every option and the global ones', async (command) => {
    const { code, stdout } = await cli.run(command, '--help')
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: anticlique ${command}`)
    expect(stdout).toContain('--library <folder>')
  })

  test('the version', async () => {
    expect((await cli.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{12}\+?\))?\n$/)
  })
})

describe('wrong usage ends with 2 and one line', () => {
  test.each([
    ['bogus', /unknown command 'bogus'\. See "anticlique --help"\./],
    ['generate', /one of rmat, uniform, .*grid/],
    ['generate rmat', /required option '--scale <n>'.* See "anticlique generate rmat --help"\./],
    ['datasets bogus', /datasets has no command "bogus"; it has list, show, .*See "anticlique datasets --help"\./],
    [
      'datasets export a --format gephi --output b',
      /Allowed choices are csv, edge-list, vertices, graphml, gexf, geojson, /,
    ],
    ['datasets show a b', /too many arguments for 'show'.* See "anticlique datasets show --help"\./],
    [
      'run path.txt --algorithm mis2-aggregates --threshold 2',
      /^--threshold 2: mis2-aggregates takes a number from 0 to 1/,
    ],
    ['--library= datasets', /'--library <folder>' argument '' is invalid\. Name a folder\./],
    ['import path.txt --link', /this file cannot stay where it is, .*\. Leave --link out\.$/],
    ['generate rmat --scale 99', /whole number from 0 to 31/],
    ['sample cities --radius-km -3', /kilometres above 0/],
    ['run path.txt --algorithm bfs --seeds 3', /^--seeds: no result of bfs is better.*--keep-runs all\.$/],
    ['run path.txt --sed 3', /unknown option '--sed' \(Did you mean --seed\?\)/],
    ['run path.txt --memory 3X', /size such as 512MiB or 4GiB/],
    ['run path.txt --batches 0', /whole number from 1/],
    ['run path.txt --seed -1', /whole number from 0/],
    ['run path.txt --devices cpu', /cpu:0, gpu:0 or auto/],
    ['run path.txt --devices auto,cpu:1', /auto alone/],
    ['run path.txt --algorithm greedy', /The algorithms of this version are: ecl-mis/],
    ['run path.txt --partitions 0', /whole number from 1/],
    ['run path.txt --priority h2', /belongs to tc-mis/],
    ['run path.txt --priority column', /--column FILE/],
    ['run path.txt --priority ecl --column c.csv', /no meaning with --priority ecl/],
    ['run path.txt --resume x', /has its dataset already/],
    ['run', /what to compute is missing/],
    ['run --resume x', /no run "x"/],
    ['run --resume x --verify', /^--verify: a resumed run is computed as it was asked for/],
    ['run --resume x --seed 4', /^--seed: a resumed run/],
    ['run --resume x --output set.txt', /no run "x"/],
    ['run nothing-here', /no dataset and no file of this name/],
    ['import folder', /folder: this is a directory/],
    ['import nothing-here.mtx', /nothing-here\.mtx: there is no such file/],
    ['import path.txt --name a/b', /cannot be called "a\/b"/],
    ['datasets show nothing', /no dataset called "nothing"/],
    ['runs show nothing', /no run "nothing"/],
    ['runs show latest', /no run "latest"/],
    ['export latest', /no run "latest"/],
    ['verify nothing', /no run "nothing"/],
    ['datasets --library path.txt', /path\.txt: there is a file where the library needs a folder/],
  ])('%s', async (words, line) => {
    const { code, stdout, stderr } = await cli.run(...words.split(' '))
    expect(linesOf(stderr)).toEqual([expect.stringMatching(line)])
    expect(stderr).not.toMatch(/\n\s+at /)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('with --json the failure is the one document', async () => {
    const { code, stdout, stderr } = await cli.run('import', 'folder', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'input', what: expect.stringMatching(/directory/) } })
    expect(linesOf(stdout)).toHaveLength(1)
    expect(linesOf(stderr)).toHaveLength(1)
  })

  test('without a folder for temporary files, "bench" says which one is missing', async () => {
    const TMPDIR = join(cli.folder, 'none')
    const { code, stderr } = await cli.launched(['env'], { TMPDIR }, 'bench', '--scale', '4')
    expect(stderr).toMatch(/none: there is no such file/)
    expect(code).toBe(2)
  })

  test('--debug adds the stack', async () => {
    expect((await cli.run('import', 'folder', '--debug')).stderr).toMatch(/\n\s+at /)
  })

  test('and nothing came into the library', async () => {
    expect(await cli.json('datasets')).toEqual({ datasets: [] })
    expect(await cli.json('runs')).toEqual({ runs: [] })
    expect(readdirSync(join(cli.library, 'datasets'))).toEqual([])
    expect(readdirSync(join(cli.library, 'runs'))).toEqual([])
  })
})
