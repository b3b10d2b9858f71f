import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressKind } from "../../../src/contract/network/address.ts";
import { hostKind, hostOf, hostText, parseHost } from "../../../src/contract/network/network.ts";

const kinds = (...addresses: string[]) => Object.fromEntries(addresses.map((one) => [one, addressKind(one)]));

describe("what an address is good for", () => {
  test("[SA-local-server] this machine and the networks behind it are private, from the first address to the last", () => {
    const private_ = [
      ...["10.0.0.0", "10.255.255.255", "127.0.0.1", "127.255.255.255", "172.16.0.0", "172.31.255.255"],
      ...["192.168.0.0", "192.168.255.255", "100.64.0.0", "100.127.255.255", "::1", "fc00::", "fdff::1", "fec0::1"],
      // Where proxies that take over the resolver let every name of the internet lead.
      ...["198.18.0.0", "198.19.255.255"],
    ];
    expect(kinds(...private_)).toEqual(Object.fromEntries(private_.map((one) => [one, "private"])));
  });

  test("[SA-local-server] where clouds keep the keys of their machines, and where no page lies, is special", () => {
    const special = [
      ...["169.254.169.254", "169.254.0.0", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"],
      ...["0.0.0.0", "0.1.2.3", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.0.2.1"],
      ...[
        "198.51.100.7",
        "203.0.113.9",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "ff02::1",
        "2001:db8::1",
        "2001::1",
        "100::1",
      ],
      ...["::1.2.3.4", "4000::1"],
    ];
    expect(kinds(...special)).toEqual(Object.fromEntries(special.map((one) => [one, "special"])));
  });

  test("the addresses beside these ranges are public", () => {
    const open = [
      ...["1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0"],
      ...["192.167.255.255", "192.169.0.0", "100.63.255.255", "100.128.0.0", "169.253.255.255", "169.255.0.0"],
      ...["223.255.255.255", "198.17.255.255", "198.20.0.0", "2001:4860:4860::8888", "2600::1", "2a00:1450::200e"],
    ];
    expect(kinds(...open)).toEqual(Object.fromEntries(open.map((one) => [one, "public"])));
  });

  test("what is no plain address is none", () => {
    const none = ["", "x", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::g"];
    expect(kinds(...none)).toEqual(Object.fromEntries(none.map((one) => [one, null])));
  });

  test("[SA-local-server] an IPv4 address inside an IPv6 one is what it is by itself, in every carrier", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const forms = [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`, `::ffff:0:${hex}`];
        expect(forms.map(addressKind)).toEqual(forms.map(() => addressKind(address)));
      }),
    );
  });
});

describe("whom a URL means", () => {
  const host = (url: string): string => {
    const found = hostOf(new URL(url));
    return `${hostText(found)} ${hostKind(found)}`;
  };

  test("[SA-local-server] every way to write an address is one address before it is looked at", () => {
    const loopback = [
      ...["http://127.0.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/"],
      ...["http://0x7f.1/", "http://１２７.0.0.1/", "http://127.0.0.1./", "http://%31%32%37.0.0.1/"],
    ];
    expect(loopback.map(host)).toEqual(loopback.map(() => "127.0.0.1 private"));
    expect(["http://[::ffff:127.0.0.1]/", "http://[0:0:0:0:0:ffff:7f00:1]/"].map(host)).toEqual([
      "[::ffff:7f00:1] private",
      "[::ffff:7f00:1] private",
    ]);
    expect(host("http://ⓛocalhost./")).toBe("localhost private");
    expect(host("http://localhost\u200b:8080/")).toBe("localhost:8080 private");
    expect(host("http://0251.0376.0251.0376/")).toBe("169.254.169.254 special");
  });

  test("names are small, in punycode and without the final dot; usual ports go without saying", () => {
    expect(["https://BÜCHER.example./x", "http://a.example:80/", "https://a.example:8443/"].map(host)).toEqual([
      "xn--bcher-kva.example public",
      "a.example public",
      "a.example:8443 public",
    ]);
  });

  test("[SA-local-server] names that mean a machine nearby are private without being resolved", () => {
    const near = ["redis", "a.localhost", "printer.local", "metadata.google.internal", "nas.lan", "x.home.arpa"];
    expect(near.map((name) => hostKind({ name, port: 80 }))).toEqual(near.map(() => "private"));
    expect(["notlocalhost.example", "local.example"].map((name) => hostKind({ name, port: 80 }))).toEqual([
      "public",
      "public",
    ]);
  });
});

test("a host in a rule is a name or an address, with `*.` for all below it and a port where it matters", () => {
  expect(["Docs.Python.org", "*.python.org", "localhost:3000", "[::1]:80", "0x7f.1", "x:80"].map(parseHost)).toEqual([
    { name: "docs.python.org", isBelow: false, port: null },
    { name: "python.org", isBelow: true, port: null },
    { name: "localhost", isBelow: false, port: 3000 },
    { name: "::1", isBelow: false, port: 80 },
    { name: "127.0.0.1", isBelow: false, port: null },
    { name: "x", isBelow: false, port: 80 },
  ]);
  const none = [
    "",
    "*",
    "*.",
    "*.*.x",
    "a.*",
    "https://x",
    "x/y",
    "u@x",
    "x?y",
    "x#y",
    "a b",
    "::1",
    "x:y",
    "*.1.2.3.4",
  ];
  expect(none.map(parseHost)).toEqual(none.map(() => null));
});
