/**
 * The same object, but texts assigned to these properties are first made inert. For VS Code's
 * boxes, which show whatever is assigned to them.
 */
export function textOnly<T extends object>(
  box: T,
  shown: { readonly [K in keyof T]?: (value: T[K]) => T[K] },
): T {
  return new Proxy(box, {
    // On the box itself: its own methods and accessors know nothing of a proxy.
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => {
      const fit = (shown as Readonly<Record<PropertyKey, ((value: unknown) => unknown) | undefined>>)[name];
      return Reflect.set(target, name, fit ? fit(value) : value, target);
    },
  });
}
