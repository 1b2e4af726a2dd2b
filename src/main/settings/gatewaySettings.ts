// The gateway's section of the settings file. What the command line said counts until a person says otherwise.
import { GATEWAY_DEFAULTS, GatewaySettings } from '../../shared/contract/gateway.ts';
import { isRecord } from '../../shared/json.ts';
import type { JsonFile } from './jsonFile.ts';

export type GatewayPatch = { [K in keyof GatewaySettings]?: GatewaySettings[K] | undefined };
export type GatewaySettingsStore = {
  gateway(): GatewaySettings;
  configureGateway(patch: GatewayPatch): GatewaySettings;
  /** Hears every change; returns its undo. */
  onGatewayConfigured(listener: () => void): () => void;
};

const GATEWAY_FIELDS = GatewaySettings.shape;

/** `flags` stand over the file. A value in the file that cannot be read leaves its default in place. */
export function gatewaySection(file: JsonFile, flags: GatewayPatch): GatewaySettingsStore {
  const listeners = new Set<() => void>();
  let over = defined(flags);
  const stored = (): Record<string, unknown> => {
    const section = file.read()['gateway'];
    return isRecord(section) ? (section as Record<string, unknown>) : {};
  };
  const read = (): GatewaySettings => ({ ...GATEWAY_DEFAULTS, ...readableFields(stored()), ...over });
  return {
    gateway: read,
    configureGateway: (patch) => {
      const changed = defined(patch);
      over = Object.fromEntries(Object.entries(over).filter(([name]) => !Object.hasOwn(changed, name)));
      file.write({ ...file.read(), gateway: { ...stored(), ...changed } });
      for (const tell of listeners) tell();
      return read();
    },
    onGatewayConfigured: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const defined = (patch: GatewayPatch): Partial<GatewaySettings> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

const readableFields = (raw: Record<string, unknown>): Partial<GatewaySettings> =>
  Object.fromEntries(
    Object.entries(GATEWAY_FIELDS).flatMap(([name, field]) => {
      const parsed = Object.hasOwn(raw, name) ? field.safeParse(raw[name]) : null;
      return parsed?.success === true ? [[name, parsed.data]] : [];
    }),
  );
