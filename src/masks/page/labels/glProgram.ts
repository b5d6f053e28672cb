/** A linked program and the places of its uniforms. */
export class GlProgram<Name extends string> {
  private constructor(
    readonly program: WebGLProgram,
    private readonly places: Record<Name, WebGLUniformLocation | null>,
  ) {}

  /** Compiles and links; undefined where the driver refuses. */
  static make<Name extends string>(
    gl: WebGL2RenderingContext,
    vertex: string,
    fragment: string,
    names: readonly Name[],
  ): GlProgram<Name> | undefined {
    const program = gl.createProgram();
    const shaders = [compiled(gl, gl.VERTEX_SHADER, vertex), compiled(gl, gl.FRAGMENT_SHADER, fragment)];
    for (const shader of shaders) if (shader) gl.attachShader(program, shader);
    gl.linkProgram(program);
    for (const shader of shaders) gl.deleteShader(shader);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      gl.deleteProgram(program);
      return undefined;
    }
    const places = Object.fromEntries(
      names.map(name => [name, gl.getUniformLocation(program, name)]),
    ) as Record<Name, WebGLUniformLocation | null>;
    return new GlProgram(program, places);
  }

  at(name: Name): WebGLUniformLocation | null {
    return this.places[name];
  }
}

function compiled(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader | null {
  const shader = gl.createShader(kind);
  if (!shader) return null;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}
