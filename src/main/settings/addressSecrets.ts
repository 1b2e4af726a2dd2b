// Keeps the credentials of addresses apart from the addresses: settings, log and views hold an address as it may be shown,
// the secrets hold the one that is connected to.
import { createHash } from 'node:crypto';
import { hasCredentials, isShownOnly, shownAddress } from '../../shared/redact/address.ts';
import type { Secrets } from './fileSecrets.ts';

export type AddressSecrets = {
  /** The address to connect to for a shown one. Credentials that are not here any more leave it as it is shown. */
  workingAddress: (shown: string) => string;
  /** Remembers an address until this process ends, and returns it as it may be shown. */
  useAddress: (address: string) => string;
  /** Keeps an address's credentials among the secrets, and returns it as it may be shown. */
  keepAddress: (address: string) => string;
  forgetAddress: (shown: string) => void;
};

/** An address has one name among the secrets, whatever its credentials are at the moment. */
export const addressDigest = (shown: string): string =>
  createHash('sha256').update(shown).digest('hex').slice(0, 10);
const addressSecretName = (shown: string): string => `environment.${addressDigest(shown)}.url`;

export function addressSecrets(secrets: Secrets): AddressSecrets {
  const used = new Map<string, string>();
  return {
    workingAddress: (shown) =>
      isShownOnly(shown) ? (used.get(shown) ?? secrets.read(addressSecretName(shown)) ?? shown) : shown,
    useAddress: (address) => {
      const shown = shownAddress(address);
      if (hasCredentials(address)) used.set(shown, address);
      return shown;
    },
    keepAddress: (address) => {
      const shown = shownAddress(address);
      if (hasCredentials(address)) {
        secrets.write(addressSecretName(shown), address);
        used.delete(shown);
      }
      return shown;
    },
    forgetAddress: (shown) => {
      used.delete(shown);
      if (isShownOnly(shown)) secrets.write(addressSecretName(shown), null);
    },
  };
}
