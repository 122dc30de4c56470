// A reporter that keeps a file with the tests that are going on, written at each change: where nothing changes any more, `npm test`
// knows which hang. Beside it lies a line of JSON for each test that ended: its time, and the limit that would have ended it.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class CourseReporter {
  #file = process.env.ANTICLIQUE_COURSE
  #going = new Map()

  onTestModuleStart({ id, moduleId }) {
    this.#change(id, relative(process.cwd(), moduleId))
  }

  onTestCaseReady(test) {
    this.#change(test.id, nameOf(test))
  }

  onTestCaseResult(test) {
    this.#change(test.id, undefined)
    const { duration: durationMs } = test.diagnostic() ?? {}
    if (this.#file === undefined || durationMs === undefined) return
    const limitMs = test.options.timeout ?? test.project.config.testTimeout
    appendFileSync(`${this.#file}.times`, `${JSON.stringify({ name: nameOf(test), durationMs, limitMs })}\n`)
  }

  onTestModuleEnd({ id }) {
    this.#change(id, undefined)
  }

  #change(id, name) {
    if (this.#file === undefined) return
    if (name === undefined) this.#going.delete(id)
    else this.#going.set(id, name)
    writeFileSync(`${this.#file}.new`, [...this.#going.values()].join('\n'))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

const nameOf = ({ module, fullName }) => `${relative(process.cwd(), module.moduleId)} > ${fullName}`
