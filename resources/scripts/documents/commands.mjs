// docs/commands.md: the help of every command as the program prints it, and of `run` that of every algorithm.
import { load, loadProgram } from './program.mjs'

const HELP_WIDTH = 110

const start = `# Commands

The help that each command prints. What their answers mean: [command line](command-line.md).

This page is made from the program: \`npm run documents\`.`

export async function commandReference(root) {
  const { algorithmEntries } = await load(root, 'workers/contract/catalogue.ts')
  const parts = [start]
  const add = (command, title) => {
    let text = ''
    command.configureOutput({ writeOut: (some) => (text += some), getOutHelpWidth: () => HELP_WIDTH })
    command.outputHelp()
    parts.push(`## ${title}`, ['````text', text.trim(), '````'].join('\n'))
  }
  const addAll = (command, name) => {
    add(command, name)
    if (command.name() === 'run')
      for (const { name: algorithm } of algorithmEntries) {
        command.setOptionValueWithSource('algorithm', algorithm, 'cli')
        add(command, `${name} --algorithm ${algorithm}`)
      }
    for (const next of command.commands) addAll(next, `${name} ${next.name()}`)
  }
  addAll(await loadProgram(root), 'anticlique')
  return `${parts.join('\n\n')}\n`
}
