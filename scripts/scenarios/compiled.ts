import { type Files, type Place, type Repair, type Scenario, wrongThenRight } from "./scenario.ts";

function repairOf(path: string, indent: string, end: string): Repair {
  const sum = (operator: string) => `${indent}a ${operator} b${end}`;
  return { path, broken: sum("-"), wrong: sum("*"), worse: sum("/"), right: sum("+") };
}

const goFiles: Files = {
  "go.mod": "module example.com/calc\n\ngo 1.19\n",
  "sum/calc.go": "package sum\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n",
  "sum/calc_test.go": `package sum

import "testing"

func TestZero(t *testing.T) {
	if Add(0, 4) == 5 {
		t.Error("zero")
	}
}

func TestAdd(t *testing.T) {
	if got := Add(2, 4); got != 6 {
		t.Errorf("Add(2, 4) = %d, want 6", got)
	}
}
`,
};
const goRepair = repairOf("sum/calc.go", "return ", "");
const goPlace = { file: "sum/calc_test.go", line: 13, test: "TestAdd" };

const go: Scenario = {
  name: "go",
  shows: "go test in a package below the module",
  programs: ["go"],
  files: goFiles,
  runs: wrongThenRight({
    repair: goRepair,
    command: "go test ./...",
    wrong: [{ ...goPlace, error: "Add(2, 4) = 8, want 6" }],
    worse: [{ ...goPlace, error: "Add(2, 4) = 0, want 6" }],
    tests: null,
  }),
};

const goBuild: Scenario = {
  ...go,
  name: "go-build",
  shows: "what does not compile is a build failure",
  runs: wrongThenRight({
    repair: { ...goRepair, wrong: 'return "a"', worse: "return a + c" },
    command: "go test ./...",
    type: "build_failure",
    wrong: [{ file: "sum/calc.go", line: 4, error: 'cannot use "a"' }],
    worse: [{ file: "sum/calc.go", line: 4, error: "undefined: c" }],
    tests: null,
  }),
};

const rustFiles: Files = {
  "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n",
  "tests/calc.rs": `#[test]
fn zero() {
    assert_ne!(calc::add(0, 4), 5);
}

#[test]
fn two_and_four() {
    assert_eq!(calc::add(2, 4), 6);
}
`,
};
const rustRepair = repairOf("src/lib.rs", "    ", "\n");
const rustPlace: Omit<Place, "error"> = { file: "tests/calc.rs", line: 8, test: "two_and_four" };

const rust: Scenario = {
  name: "rust",
  shows: "cargo test, tests of their own beside the library",
  programs: ["cargo", "rustc"],
  files: rustFiles,
  runs: wrongThenRight({
    repair: rustRepair,
    command: "cargo test",
    wrong: [{ ...rustPlace, error: "left: `8`" }],
    worse: [{ ...rustPlace, error: "left: `0`" }],
    tests: 2,
  }),
};

const rustBuild: Scenario = {
  ...rust,
  name: "rust-build",
  shows: "what does not compile is a build failure",
  runs: wrongThenRight({
    repair: { ...rustRepair, wrong: '    "a"\n', worse: "    a + c\n" },
    command: "cargo test",
    type: "build_failure",
    wrong: [{ file: "src/lib.rs", line: 2, error: "mismatched types" }],
    worse: [{ file: "src/lib.rs", line: 2, error: "cannot find value `c`" }],
    tests: 2,
  }),
};

const source = "src/main/java/app/Calc.java";
const javaTest = "src/test/java/app/CalcTest.java";
const javaFiles: Files = {
  [source]: `package app;

public class Calc {
    public static int add(int a, int b) {
        return a - b;
    }
}
`,
  [javaTest]: `package app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import org.junit.Test;

public class CalcTest {
    @Test
    public void zero() {
        assertNotEquals(5, Calc.add(0, 4));
    }

    @Test
    public void twoAndFour() {
        assertEquals(6, Calc.add(2, 4));
    }
}
`,
};
/** Debian's own jars take the place of a download. */
const mavenFiles: Files = {
  ...javaFiles,
  ".mvn/maven.config": "--settings=.mvn/settings.xml\n",
  ".mvn/settings.xml": `<settings>
  <localRepository>/usr/share/maven-repo</localRepository>
  <offline>true</offline>
</settings>
`,
  "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId>
  <artifactId>calc</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.x</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
`,
};
const gradleFiles: Files = {
  ...javaFiles,
  "settings.gradle": "rootProject.name = 'calc'\n",
  "build.gradle": `apply plugin: 'java'

repositories {
    maven { url '/usr/share/maven-repo' }
}

dependencies {
    testCompile 'junit:junit:4.x'
}
`,
};
const javaRepair = repairOf(source, "return ", ";");
const javaPlace = { file: javaTest, line: 16, test: "twoAndFour" };

function java(name: string, shows: string, program: string, command: string, files: Files): readonly Scenario[] {
  const shared = { programs: [program, "javac"], files };
  return [
    {
      ...shared,
      name,
      shows,
      runs: wrongThenRight({
        repair: javaRepair,
        command,
        wrong: [{ ...javaPlace, error: "expected:<6> but was:<8>" }],
        worse: [{ ...javaPlace, error: "expected:<6> but was:<0>" }],
        tests: 2,
      }),
    },
    {
      ...shared,
      name: `${name}-build`,
      shows: "what does not compile is a build failure",
      runs: wrongThenRight({
        repair: { ...javaRepair, wrong: 'return "a";', worse: "return a + c;" },
        command,
        type: "build_failure",
        wrong: [{ file: source, line: 5, error: "incompatible types" }],
        worse: [{ file: source, line: 5, error: "cannot find symbol" }],
        tests: 2,
      }),
    },
  ];
}

export const compiledScenarios: readonly Scenario[] = [
  go,
  goBuild,
  rust,
  rustBuild,
  ...java("maven", "Surefire's reports, offline", "mvn", "mvn -q test", mavenFiles),
  ...java("gradle", "Gradle's reports, offline", "gradle", "gradle test", gradleFiles),
];
