import { main } from './cli/main.ts'

// A reader such as `head` may close its end early; what it did not want to see is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2))
