// A reporter that keeps a file with the tests that are going on, written at each change: where nothing changes any more, `npm test`
// knows which hang.
import { renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class CourseReporter {
  #file = process.env.ANTICLIQUE_COURSE
  #going = new Map()

  onTestModuleStart({ id, moduleId }) {
    this.#change(id, relative(process.cwd(), moduleId))
  }

  onTestCaseReady({ id, fullName, module }) {
    this.#change(id, `${relative(process.cwd(), module.moduleId)} > ${fullName}`)
  }

  onTestCaseResult({ id }) {
    this.#change(id, undefined)
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
