/**
 * A parser of the part of WGSL that the kernels are written in: W3C, WebGPU Shading Language, sections 3 (tokens), 6 (types), 8 (expressions) and
 * 9 (statements). By recursive descent; binary operators by precedence. It checks nothing that Dawn checks, and refuses what it does not know.
 * wgsl-program.ts makes JavaScript of the result.
 */
export type Type = string

export type Expression =
  | { readonly is: 'number'; readonly text: string }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'unary'; readonly operator: string; readonly of: Expression }
  | { readonly is: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly is: 'call'
      readonly callee: string
      readonly type: Type | undefined
      readonly with: readonly Expression[]
    }
  | { readonly is: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly is: 'member'; readonly of: Expression; readonly name: string }

export type Statement =
  | { readonly is: 'block'; readonly body: readonly Statement[] }
  | {
      readonly is: 'declare'
      readonly name: string
      readonly type: Type | undefined
      readonly value: Expression | undefined
    }
  | { readonly is: 'assign'; readonly to: Expression; readonly operator: string; readonly value: Expression }
  | { readonly is: 'call'; readonly value: Expression }
  | {
      readonly is: 'if'
      readonly when: Expression
      readonly then: Statement
      readonly otherwise: Statement | undefined
    }
  | {
      readonly is: 'for'
      readonly first: Statement | undefined
      readonly when: Expression | undefined
      readonly next: Statement | undefined
      readonly body: Statement
    }
  | { readonly is: 'break' | 'continue' }
  | { readonly is: 'return'; readonly value: Expression | undefined }

export interface Parameter {
  readonly name: string
  readonly type: Type
  /** What a built-in value of the entry point is, such as local_invocation_index. */
  readonly builtin: string | undefined
}

export interface Routine {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returns: Type | undefined
  readonly body: Statement
  /** All names in the body: what a routine touches follows from them. */
  readonly names: ReadonlySet<string>
  readonly isEntry: boolean
}

export interface Variable {
  readonly space: 'storage' | 'uniform' | 'workgroup' | 'private'
  readonly isWritten: boolean
  readonly name: string
  readonly type: Type
}

export interface Module {
  readonly constants: ReadonlyMap<string, { readonly type: Type | undefined; readonly value: Expression }>
  readonly structs: ReadonlyMap<string, readonly Parameter[]>
  readonly variables: ReadonlyMap<string, Variable>
  readonly routines: ReadonlyMap<string, Routine>
}

const TOKEN =
  /\s+|\/\/[^\n]*|([A-Za-z_]\w*|0x[\da-fA-F]+(?:\.[\da-fA-F]*)?(?:p[-+]?\d+)?[uif]?|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?[uif]?|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^]=|[=!<>]=|<<|>>|[-+*/%&|^~!<>=(){}[\];:,.@])/y
const PRECEDENCE = ['||', '&&', '|', '^', '&', '== !=', '< > <= >=', '<< >>', '+ -', '* / %'].map((all) =>
  all.split(' '),
)
/** Binary operators of a size of an array: a greater one would end its template. */
const ADDITIVE = PRECEDENCE.findIndex((all) => all.includes('+'))
const TEMPLATED = new Set(['array', 'atomic', 'vec2', 'vec3', 'vec4', 'bitcast'])

function tokensOf(source: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(source)
    if (found === null) throw new Error(`not WGSL: ${source.slice(at, at + 40)}`)
    if (found[1] !== undefined) tokens.push(found[1])
  }
  return tokens
}

export function parseWgsl(source: string): Module {
  return new Parser(tokensOf(source)).module()
}

class Parser {
  readonly #tokens: string[]
  #at = 0

  constructor(tokens: string[]) {
    this.#tokens = tokens
  }

  module(): Module {
    const constants = new Map<string, { type: Type | undefined; value: Expression }>()
    const structs = new Map<string, readonly Parameter[]>()
    const variables = new Map<string, Variable>()
    const routines = new Map<string, Routine>()
    while (this.#at < this.#tokens.length) {
      const attributes = this.#attributes()
      if (this.#takes('const')) {
        const { name, type, value } = this.#declaration()
        constants.set(name, { type, value: value! })
      } else if (this.#takes('struct')) {
        const name = this.#next()
        this.#expect('{')
        structs.set(name, this.#parameters('}'))
        this.#takes(';')
      } else if (this.#takes('var')) {
        const variable = this.#variable()
        variables.set(variable.name, variable)
      } else if (this.#takes('fn')) {
        const routine = this.#routine(attributes.has('compute'))
        routines.set(routine.name, routine)
      } else throw new Error(`no declaration: ${this.#ahead()}`)
    }
    return { constants, structs, variables, routines }
  }

  #declaration() {
    const name = this.#next()
    const type = this.#takes(':') ? this.#type() : undefined
    const value = this.#takes('=') ? this.#expression() : undefined
    this.#expect(';')
    return { name, type, value }
  }

  #variable(): Variable {
    this.#expect('<')
    const space = this.#next() as Variable['space']
    const access = this.#takes(',') ? this.#next() : 'read_write'
    this.#expect('>')
    const { name, type } = this.#declaration()
    return { space, isWritten: access === 'read_write', name, type: type! }
  }

  #routine(isEntry: boolean): Routine {
    const name = this.#next()
    this.#expect('(')
    const parameters = this.#parameters(')')
    const returns = this.#takes('->') ? this.#type() : undefined
    const begin = this.#at
    const body = this.#block()
    return { name, parameters, returns, body, names: new Set(this.#tokens.slice(begin, this.#at)), isEntry }
  }

  #parameters(end: string): Parameter[] {
    const all: Parameter[] = []
    while (!this.#takes(end)) {
      const attributes = this.#attributes()
      const name = this.#next()
      this.#expect(':')
      all.push({ name, type: this.#type(), builtin: attributes.get('builtin') })
      this.#takes(',')
    }
    return all
  }

  #attributes(): Map<string, string | undefined> {
    const all = new Map<string, string | undefined>()
    while (this.#takes('@')) {
      const name = this.#next()
      let value: string | undefined
      if (this.#takes('(')) {
        value = this.#next()
        while (!this.#takes(')')) this.#next()
      }
      all.set(name, value)
    }
    return all
  }

  /** Spelt as in WGSL, without spaces; of an array with its size as the text of an expression. */
  #type(): Type {
    const name = this.#next()
    if (!this.#takes('<')) return name
    const element = this.#type()
    let size = ''
    if (this.#takes(',')) {
      const begin = this.#at
      this.#expression(ADDITIVE)
      size = `,${this.#tokens.slice(begin, this.#at).join(' ')}`
    }
    this.#closeTemplate()
    return `${name}<${element}${size}>`
  }

  #closeTemplate(): void {
    if (this.#tokens[this.#at] === '>>') this.#tokens[this.#at] = '>'
    else this.#expect('>')
  }

  #block(): Statement {
    this.#expect('{')
    const body: Statement[] = []
    while (!this.#takes('}')) body.push(this.#statement())
    return { is: 'block', body }
  }

  #statement(): Statement {
    if (this.#peek() === '{') return this.#block()
    if (this.#takes('if')) return this.#branch()
    if (this.#takes('loop')) return this.#loop(undefined)
    if (this.#takes('while')) return this.#loop(this.#expression())
    if (this.#takes('for')) return this.#counted()
    const simple = this.#simple()
    this.#expect(';')
    return simple ?? { is: 'block', body: [] }
  }

  #branch(): Statement {
    const when = this.#expression()
    const then = this.#block()
    if (!this.#takes('else')) return { is: 'if', when, then, otherwise: undefined }
    return { is: 'if', when, then, otherwise: this.#takes('if') ? this.#branch() : this.#block() }
  }

  #loop(when: Expression | undefined): Statement {
    return { is: 'for', first: undefined, when, next: undefined, body: this.#block() }
  }

  #counted(): Statement {
    this.#expect('(')
    const first = this.#simple()
    this.#expect(';')
    const when = this.#peek() === ';' ? undefined : this.#expression()
    this.#expect(';')
    const next = this.#peek() === ')' ? undefined : this.#simple()
    this.#expect(')')
    return { is: 'for', first, when, next, body: this.#block() }
  }

  /** Without its semicolon; undefined where there is none. */
  #simple(): Statement | undefined {
    const word = this.#peek()
    if (word === ';' || word === ')') return undefined
    if (word === 'break' || word === 'continue') {
      this.#next()
      return { is: word }
    }
    if (this.#takes('return')) {
      return { is: 'return', value: this.#peek() === ';' ? undefined : this.#expression() }
    }
    if (word === 'let' || word === 'var' || word === 'const') {
      this.#next()
      const name = this.#next()
      const type = this.#takes(':') ? this.#type() : undefined
      return { is: 'declare', name, type, value: this.#takes('=') ? this.#expression() : undefined }
    }
    const to = this.#expression()
    if (to.is === 'call') return { is: 'call', value: to }
    const operator = this.#next()
    if (operator === '++' || operator === '--') {
      return { is: 'assign', to, operator: operator[0]!, value: { is: 'number', text: '1' } }
    }
    return { is: 'assign', to, operator: operator.slice(0, -1), value: this.#expression() }
  }

  #expression(level = 0): Expression {
    const operators = PRECEDENCE[level]
    if (operators === undefined) return this.#unary()
    let left = this.#expression(level + 1)
    while (operators.includes(this.#peek())) {
      const operator = this.#next()
      left = { is: 'binary', operator, left, right: this.#expression(level + 1) }
    }
    return left
  }

  #unary(): Expression {
    const word = this.#peek()
    if (!['-', '!', '~', '&', '*'].includes(word)) return this.#postfix()
    this.#next()
    return { is: 'unary', operator: word, of: this.#unary() }
  }

  #postfix(): Expression {
    let of = this.#primary()
    for (;;) {
      if (this.#takes('[')) {
        of = { is: 'index', of, at: this.#expression() }
        this.#expect(']')
      } else if (this.#takes('.')) of = { is: 'member', of, name: this.#next() }
      else return of
    }
  }

  #primary(): Expression {
    if (this.#takes('(')) {
      const inside = this.#expression()
      this.#expect(')')
      return inside
    }
    const word = this.#next()
    if (/^\d/.test(word)) return { is: 'number', text: word }
    let type: Type | undefined
    if (TEMPLATED.has(word) && this.#peek() === '<') {
      this.#at--
      type = this.#type()
    }
    if (!this.#takes('(')) return { is: 'name', name: word }
    const given: Expression[] = []
    while (!this.#takes(')')) {
      given.push(this.#expression())
      this.#takes(',')
    }
    return { is: 'call', callee: word, type, with: given }
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Error('the shader ends too early')
    return token
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at++
    return true
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new Error(`expected ${token} before: ${this.#ahead()}`)
  }

  #ahead(): string {
    return this.#tokens.slice(this.#at, this.#at + 12).join(' ')
  }
}
