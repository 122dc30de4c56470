/**
 * WGSL kernels as JavaScript generators, one for each invocation, which pause wherever another invocation could step in between: before each look at
 * memory that is written in the same launch, and at barriers. Arithmetic is that of WGSL (u32 wraps, f32 is rounded); a place outside a buffer is an
 * error, where Dawn would move it inside. interleaved-device.ts decides which invocation goes on.
 */
import { compileFunction } from 'node:vm'
import { type Expression, type Module, parseWgsl, type Routine, type Statement, type Type } from './wgsl-parser.ts'
import * as runtime from './wgsl-runtime.ts'

/** What an invocation yields where it waits for its workgroup; anything else is a pause. */
export const BARRIER = 1

export interface Place {
  readonly group: number
  readonly groups: number
  readonly lane: number
}

/** The memory of a workgroup and that of an invocation. */
export interface Workgroup {
  invocation(place: Place): Generator<number | undefined, void>
}

export type Program = (
  params: Readonly<Record<string, number>>,
  buffers: Readonly<Record<string, Uint32Array>>,
) => {
  workgroup(): Workgroup
}

export function programOf(wgsl: string): Program {
  return new Compiler(parseWgsl(wgsl)).program()
}

/** Code of an expression, and its type; `int` and `float` are literals without one. */
interface Typed {
  readonly code: string
  readonly type: Type
}

/** Such as u32 of array<u32,64u>. */
const elementOf = (type: Type): Type => /^(.*?)(?:,[^<>]*)?$/.exec(type.slice(type.indexOf('<') + 1, -1))![1]!
const isVector = (type: Type): boolean => type.startsWith('vec')
const isLiteral = (type: Type): boolean => type === 'int' || type === 'float'
const COMPONENTS = ['xyzw', 'rgba']
const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>='])

class Compiler {
  readonly #module: Module
  /** Routines that pause. */
  readonly #pausing: ReadonlySet<string>
  #scopes: Map<string, Type>[] = []
  #constants = new Map<string, Type>()

  constructor(module: Module) {
    this.#module = module
    this.#pausing = pausingOf(module)
  }

  program(): Program {
    const { constants, variables, routines } = this.#module
    const lines = ['const { clone } = rt']
    const waiting = new Map(constants)
    while (waiting.size > 0) {
      const before = waiting.size
      for (const [name, { type, value }] of waiting) {
        if ([...waiting.keys()].some((other) => other !== name && namesOf(value).has(other))) continue
        const typed = this.#expression(value)
        this.#constants.set(name, type ?? typed.type)
        lines.push(`const _${name} = ${typed.code}`)
        waiting.delete(name)
      }
      if (waiting.size === before) throw new Error(`constants in a circle: ${[...waiting.keys()].join(', ')}`)
    }
    const inSpace = (space: string): string =>
      [...variables.values()]
        .filter((variable) => variable.space === space)
        .map(({ name, type }) => `_${name}: ${this.#shared(type)}`)
        .join(', ')
    const entry = [...routines.values()].find(({ isEntry }) => isEntry)!
    const builtins: Record<string, string> = {
      workgroup_id: '[place.group, 0, 0]',
      num_workgroups: '[place.groups, 1, 1]',
      local_invocation_index: 'place.lane',
    }
    const given = entry.parameters.map(({ builtin }) => builtins[builtin!])
    lines.push(
      'return (U, B) => ({ workgroup() {',
      `const W = { ${inSpace('workgroup')} }`,
      `return { invocation(place) { const P = { ${inSpace('private')} }`,
      ...[...routines.values()].map((routine) => this.#routine(routine)),
      `return _${entry.name}(${given.join(', ')}) } } } })`,
    )
    return compileFunction(lines.join('\n'), ['rt'])(runtime) as Program
  }

  /** The first value of memory: atomic words are arrays of one, so that they can be pointed at. */
  #shared(type: Type): string {
    if (type.startsWith('atomic')) return '[0]'
    return this.#zero(type)
  }

  #zero(type: Type): string {
    if (type === 'bool') return 'false'
    if (isVector(type)) return `Array(${type[3]}).fill(0)`
    const array = /^array<(.+),([^,]+)>$/.exec(type)
    if (array !== null) {
      const size = array[2]!.replaceAll(/(\d+)u/g, '$1').replaceAll(/[A-Za-z]\w*/g, '_$&')
      return `Array.from({ length: ${size} }, () => ${this.#zero(array[1]!)})`
    }
    const fields = this.#module.structs.get(type)
    if (fields === undefined) return '0'
    return `({ ${fields.map(({ name, type: field }) => `_${name}: ${this.#zero(field)}`).join(', ')} })`
  }

  #routine({ name, parameters, body }: Routine): string {
    this.#scopes = [new Map(parameters.map(({ name: parameter, type }) => [parameter, type]))]
    const star = this.#pausing.has(name) || this.#module.routines.get(name)!.isEntry ? '*' : ''
    return `function${star} _${name}(${parameters.map(({ name: parameter }) => `_${parameter}`).join(', ')}) ${this.#statement(body)}`
  }

  #statement(statement: Statement): string {
    switch (statement.is) {
      case 'block': {
        this.#scopes.push(new Map())
        const body = statement.body.map((each) => this.#statement(each)).join('\n')
        this.#scopes.pop()
        return `{ ${body} }`
      }
      case 'declare': {
        const { name, type, value } = statement
        const typed = value === undefined ? { code: this.#zero(type!), type: type! } : this.#expression(value)
        const declared = type ?? (typed.type === 'int' ? 'i32' : typed.type)
        this.#scopes.at(-1)!.set(name, declared)
        return `let _${name} = ${this.#copied(typed)};`
      }
      case 'assign':
        return this.#assign(statement)
      case 'call':
        return `${this.#expression(statement.value).code};`
      case 'if': {
        const otherwise = statement.otherwise === undefined ? '' : ` else ${this.#statement(statement.otherwise)}`
        return `if (${this.#expression(statement.when).code}) ${this.#statement(statement.then)}${otherwise}`
      }
      case 'for': {
        this.#scopes.push(new Map())
        const first = statement.first === undefined ? '' : this.#statement(statement.first)
        const when = statement.when === undefined ? '' : this.#expression(statement.when).code
        const next = statement.next === undefined ? '' : this.#statement(statement.next).replace(/;$/, '')
        const body = this.#statement(statement.body)
        this.#scopes.pop()
        return `for (${first.replace(/;$/, '')}; ${when}; ${next}) ${body}`
      }
      case 'return':
        return statement.value === undefined ? 'return;' : `return ${this.#copied(this.#expression(statement.value))};`
      case 'break':
      case 'continue':
        return `${statement.is};`
    }
  }

  #assign({ to, operator, value }: Statement & { is: 'assign' }): string {
    const target = this.#expression(to)
    const given = this.#expression(value)
    const result = operator === '' ? given : this.#binary(operator, target, given)
    const copied = this.#copied({ ...result, type: target.type })
    const place = this.#storagePlace(to)
    if (place === undefined) return `${this.#target(to)} = ${copied};`
    return `rt.store(${place.buffer}, ${place.at}, ${copied}, ${place.words}, ${place.component}, (yield, 0));`
  }

  /** Code of what is assigned to, in memory of the invocation or the workgroup. */
  #target(to: Expression): string {
    if (to.is === 'name') return this.#named(to.name).code
    if (to.is === 'member') {
      const { type } = this.#expression(to.of)
      return isVector(type) ? `${this.#target(to.of)}[${componentOf(to.name)}]` : `${this.#target(to.of)}._${to.name}`
    }
    if (to.is === 'index') return `${this.#target(to.of)}[${this.#expression(to.at).code}]`
    throw new Error(`nothing can be assigned to ${JSON.stringify(to)}`)
  }

  /** The place of an expression in a buffer; undefined: it is in none. */
  #storagePlace(to: Expression) {
    const element = to.is === 'member' ? to.of : to
    if (element.is !== 'index' || element.of.is !== 'name') return undefined
    const variable = this.#module.variables.get(element.of.name)
    if (variable?.space !== 'storage' || this.#local(element.of.name) !== undefined) return undefined
    const type = elementOf(variable.type)
    return {
      buffer: `B.${variable.name}`,
      at: this.#expression(element.at).code,
      words: isVector(type) ? Number(type[3]) : 1,
      component: to.is === 'member' ? componentOf(to.name) : -1,
      isWritten: variable.isWritten,
      type,
    }
  }

  #local(name: string): Type | undefined {
    for (let depth = this.#scopes.length - 1; depth >= 0; depth--) {
      const type = this.#scopes[depth]!.get(name)
      if (type !== undefined) return type
    }
    return undefined
  }

  #named(name: string): Typed {
    const local = this.#local(name)
    if (local !== undefined) return { code: `_${name}`, type: local }
    if (name === 'true' || name === 'false') return { code: name, type: 'bool' }
    const constant = this.#constants.get(name)
    if (constant !== undefined) return { code: `_${name}`, type: constant }
    const variable = this.#module.variables.get(name)
    if (variable === undefined) throw new Error(`unknown name ${name}`)
    const space = { workgroup: 'W', private: 'P', storage: 'B', uniform: 'U' }[variable.space]
    return { code: space === 'B' ? `B.${name}` : `${space}._${name}`, type: variable.type }
  }

  #expression(of: Expression): Typed {
    switch (of.is) {
      case 'number':
        return numberOf(of.text)
      case 'name':
        return this.#named(of.name)
      case 'unary':
        return this.#unary(of)
      case 'binary':
        return this.#binary(of.operator, this.#expression(of.left), this.#expression(of.right))
      case 'call':
        return this.#call(of)
      case 'index':
      case 'member':
        return this.#part(of)
    }
  }

  #part(of: Expression & { is: 'index' | 'member' }): Typed {
    const place = this.#storagePlace(of)
    if (place !== undefined) {
      const load = `rt.load(${place.buffer}, ${place.at}, ${place.words}, ${place.component})`
      const type = of.is === 'member' ? elementOf(place.type) : place.type
      return { code: place.isWritten ? `(yield, ${load})` : load, type }
    }
    if (of.is === 'index') {
      const { code, type } = this.#expression(of.of)
      return { code: `rt.at(${code}, ${this.#expression(of.at).code})`, type: elementOf(type) }
    }
    if (of.of.is === 'name' && this.#local(of.of.name) === undefined) {
      if (this.#module.variables.get(of.of.name)?.space === 'uniform') return { code: `U.${of.name}`, type: 'u32' }
    }
    const { code, type } = this.#expression(of.of)
    if (isVector(type)) return { code: `${code}[${componentOf(of.name)}]`, type: elementOf(type) }
    const fields =
      type === 'exchange'
        ? [
            { name: 'exchanged', type: 'bool' },
            { name: 'old_value', type: 'u32' },
          ]
        : this.#module.structs.get(type)
    const field = fields?.find(({ name }) => name === of.name)
    if (field === undefined) throw new Error(`${type} has no ${of.name}`)
    return { code: `${code}._${of.name}`, type: field.type }
  }

  #unary({ operator, of }: Expression & { is: 'unary' }): Typed {
    const { code, type } = this.#expression(of)
    if (operator === '!') return { code: `!${code}`, type }
    if (operator === '~') return { code: type === 'i32' || type === 'int' ? `(~${code})` : `((~${code}) >>> 0)`, type }
    if (operator === '-') return { code: type === 'i32' ? `((-${code}) | 0)` : `(-${code})`, type }
    if (operator === '*') return { code: `${code}.a[${code}.i]`, type: 'u32' }
    const { memory, at } = this.#pointer(of)
    return { code: `({ a: ${memory}, i: ${at} })`, type: 'pointer' }
  }

  /** The array and the place that `&of` points at. */
  #pointer(of: Expression): { memory: string; at: string } {
    if (of.is === 'index') {
      const { code } = this.#expression(of.of)
      return { memory: code, at: this.#expression(of.at).code }
    }
    const { code, type } = this.#expression(of)
    if (type.startsWith('atomic')) return { memory: code, at: '0' }
    if (of.is !== 'name') throw new Error('a pointer to nothing that has a name')
    return { memory: 'W', at: `'_${of.name}'` }
  }

  #pointed(given: Expression): { memory: string; at: string } {
    if (given.is === 'unary' && given.operator === '&') return this.#pointer(given.of)
    const { code } = this.#expression(given)
    return { memory: `${code}.a`, at: `${code}.i` }
  }

  #binary(operator: string, left: Typed, right: Typed): Typed {
    if (isVector(left.type) || isVector(right.type)) {
      const vector = isVector(left.type) ? left.type : right.type
      const part = this.#binary(
        operator,
        { code: 'x', type: partOf(left.type) },
        { code: 'y', type: partOf(right.type) },
      )
      const type = COMPARISONS.has(operator) ? vector.replace(/<.*/, '<bool>') : vector
      return { code: `rt.zip(${left.code}, ${right.code}, (x, y) => ${part.code})`, type }
    }
    if (COMPARISONS.has(operator)) {
      const same = operator === '==' || operator === '!=' ? `${operator}=` : operator
      return { code: `(${left.code} ${same} ${right.code})`, type: 'bool' }
    }
    if (operator === '&&' || operator === '||')
      return { code: `(${left.code} ${operator} ${right.code})`, type: 'bool' }
    const isShift = operator === '<<' || operator === '>>'
    const type = isLiteral(left.type) && !isShift ? right.type : left.type
    return { code: arithmetic(operator, left.code, right.code, type), type }
  }

  #call({ callee, type, with: given }: Expression & { is: 'call' }): Typed {
    if (callee.startsWith('atomic') && type === undefined) return this.#atomic(callee, given)
    if (callee === 'workgroupBarrier' || callee === 'storageBarrier')
      return { code: `(yield ${BARRIER})`, type: 'none' }
    if (callee === 'workgroupUniformLoad') {
      const [first] = given
      const of = first!.is === 'unary' ? first.of : first!
      const { type: loaded } = this.#expression(of)
      const { memory, at } = this.#pointer(of)
      const plain = loaded.startsWith('atomic') ? 'u32' : loaded
      return { code: `(yield* rt.uniformLoad(${memory}, ${at}))`, type: plain }
    }
    if (callee === 'arrayLength') {
      const buffer = given[0]!.is === 'unary' ? given[0].of : given[0]!
      const named = this.#expression(buffer)
      const element = elementOf(named.type)
      return { code: `(${named.code}.length / ${isVector(element) ? element[3] : 1})`, type: 'u32' }
    }
    const typed = given.map((each) => this.#expression(each))
    const codes = typed.map(({ code }) => code)
    const routine = this.#module.routines.get(callee)
    if (routine !== undefined) {
      const star = this.#pausing.has(callee) ? 'yield* ' : ''
      const copies = typed.map((each) => this.#copied(each)).join(', ')
      return { code: `(${star}_${callee}(${copies}))`, type: routine.returns ?? 'none' }
    }
    const fields = this.#module.structs.get(callee)
    if (fields !== undefined) {
      return { code: `({ ${fields.map(({ name }, i) => `_${name}: ${codes[i]!}`).join(', ')} })`, type: callee }
    }
    if (type?.startsWith('bitcast') === true) {
      const into = elementOf(type)
      return { code: `rt.bitcast(${codes[0]!}, '${typed[0]!.type}', '${into}')`, type: into }
    }
    if (type?.startsWith('vec') === true) {
      return { code: codes.length === 1 ? `Array(${type[3]}).fill(${codes[0]!})` : `[${codes.join(', ')}]`, type }
    }
    if (type?.startsWith('array') === true)
      return { code: codes.length === 0 ? this.#zero(type) : `[${codes.join(', ')}]`, type }
    return this.#builtin(callee, typed)
  }

  #atomic(callee: string, [at, ...given]: readonly Expression[]): Typed {
    const { memory, at: place } = this.#pointed(at!)
    const codes = given.map((each) => this.#expression(each).code)
    const type = callee === 'atomicCompareExchangeWeak' ? 'exchange' : 'u32'
    return { code: `(yield, rt.${callee}(${[memory, place, ...codes].join(', ')}))`, type }
  }

  #builtin(callee: string, typed: readonly Typed[]): Typed {
    const codes = typed.map(({ code }) => code).join(', ')
    const type = typed.map((each) => each.type).find((each) => !isLiteral(each)) ?? typed[0]!.type
    if (['u32', 'i32', 'f32'].includes(callee)) return { code: `rt.to_${callee}(${codes})`, type: callee }
    if (callee === 'any' || callee === 'all') return { code: `rt.${callee}(${codes})`, type: 'bool' }
    if (callee === 'select') {
      const chosen = isLiteral(typed[0]!.type) ? typed[1]!.type : typed[0]!.type
      return { code: `rt.select(${codes})`, type: chosen }
    }
    if (!(callee in runtime)) throw new Error(`unknown function ${callee}`)
    return { code: `rt.${callee}(${codes})`, type }
  }

  /** Arrays, vectors and structs are values. */
  #copied({ code, type }: Typed): string {
    return isVector(type) || type.startsWith('array') || this.#module.structs.has(type) ? `clone(${code})` : code
  }
}

const partOf = (type: Type): Type => (isVector(type) ? elementOf(type) : type)

const componentOf = (name: string): number => {
  const letters = COMPONENTS.find((all) => all.includes(name))
  if (letters === undefined || name.length !== 1) throw new Error(`no component ${name}`)
  return letters.indexOf(name)
}

function numberOf(text: string): Typed {
  const isHex = text.startsWith('0x')
  const suffix = isHex && !text.includes('p') ? /[ui]$/.exec(text)?.[0] : /[uif]$/.exec(text)?.[0]
  const digits = suffix === undefined ? text : text.slice(0, -1)
  const [mantissa, exponent] = isHex ? digits.split('p') : [digits]
  const value = Number(mantissa) * 2 ** Number(exponent ?? 0)
  const isFloat = !isHex && /[.eE]/.test(digits)
  const type = { u: 'u32', i: 'i32', f: 'f32' }[suffix ?? ''] ?? (isFloat || exponent !== undefined ? 'f32' : 'int')
  return { code: String(type === 'f32' ? Math.fround(value) : value), type }
}

function arithmetic(operator: string, a: string, b: string, type: Type): string {
  if (type === 'bool') return `(${a} ${operator} ${b} ? true : false)`
  if (type === 'f32') return `Math.fround(${a} ${operator} ${b})`
  const end = type === 'i32' ? '| 0' : '>>> 0'
  if (operator === '*') return `(Math.imul(${a}, ${b}) ${end})`
  if (operator === '/') return `rt.quotient(${a}, ${b})`
  if (operator === '%') return `rt.remainder(${a}, ${b})`
  if (operator === '>>') return type === 'i32' ? `(${a} >> ${b})` : `(${a} >>> ${b})`
  return `((${a} ${operator} ${b}) ${end})`
}

function namesOf(of: Expression): Set<string> {
  return new Set(JSON.stringify(of).match(/[A-Za-z_]\w*/g))
}

/** Routines that look at memory which the launch writes, wait at a barrier, or call one that does. */
function pausingOf({ variables, routines }: Module): Set<string> {
  const written = [...variables.values()]
    .filter(({ space, isWritten }) => space === 'storage' && isWritten)
    .map(({ name }) => name)
  const pausing = new Set<string>()
  for (let before = -1; before !== pausing.size;) {
    before = pausing.size
    for (const { name, names } of routines.values()) {
      const pauses = (each: string): boolean => pausing.has(each) || /^atomic|Barrier$|UniformLoad$/.test(each)
      if ([...names].some(pauses) || written.some((each) => names.has(each))) pausing.add(name)
    }
  }
  return pausing
}
