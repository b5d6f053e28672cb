/**
 * Wraps one of VS Code's boxes: values assigned to these properties are first converted, which
 * makes texts inert.
 */
export function textOnly<T extends object>(
  box: T,
  conversions: { readonly [K in keyof T]?: (value: T[K]) => T[K] },
): T {
  return new Proxy(box, {
    // Call methods and accessors on the box itself, because they don't work on a proxy.
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => {
      const convert = (
        conversions as Readonly<Record<PropertyKey, ((value: unknown) => unknown) | undefined>>
      )[name];
      return Reflect.set(target, name, convert ? convert(value) : value, target);
    },
  });
}
