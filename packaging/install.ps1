# Installs desc on Windows: the program and its completions.
#
#     powershell -ExecutionPolicy Bypass -File install.ps1 [-Version 0.1.0] [-To FOLDER]
#
# FOLDER (default: %LOCALAPPDATA%\Programs\desc) receives desc.exe and completions\_desc.ps1, and is added to the user's PATH.
# DESC_DOWNLOAD is the folder of the archives, as a URL (default: the release's page).
param(
    [string] $Version = "@VERSION@",
    [string] $To = (Join-Path $env:LOCALAPPDATA "Programs\desc"),
    [switch] $LeavePath
)
$ErrorActionPreference = "Stop"
$ProgressPreference = "SilentlyContinue"
$repository = "@REPOSITORY@"

$Version = $Version.TrimStart("v")
$processor = if ($env:PROCESSOR_ARCHITECTURE -eq "ARM64") { "aarch64" } else { "x86_64" }
$name = "deslang-v$Version-$processor-pc-windows-msvc"
$source = if ($env:DESC_DOWNLOAD) { $env:DESC_DOWNLOAD } else { "$repository/releases/download/v$Version" }

$scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $scratch | Out-Null
try {
    $archive = Join-Path $scratch "$name.zip"
    Invoke-WebRequest -UseBasicParsing -Uri "$source/$name.zip" -OutFile $archive
    Invoke-WebRequest -UseBasicParsing -Uri "$source/$name.zip.sha256" -OutFile "$archive.sha256"
    $expected = (Get-Content "$archive.sha256" -Raw).Split(" ")[0]
    $actual = (Get-FileHash -Algorithm SHA256 $archive).Hash
    if ($expected -ne $actual) { throw "$name.zip is damaged: its checksum differs" }
    Expand-Archive -Path $archive -DestinationPath $scratch
    $folder = Join-Path $scratch $name
    New-Item -ItemType Directory -Force -Path (Join-Path $To "completions") | Out-Null
    Copy-Item -Force (Join-Path $folder "desc.exe") (Join-Path $To "desc.exe")
    Copy-Item -Force (Join-Path $folder "completions\_desc.ps1") (Join-Path $To "completions\_desc.ps1")
}
finally {
    Remove-Item -Recurse -Force $scratch
}

$path = [Environment]::GetEnvironmentVariable("Path", "User")
$known = if ($path) { $path.Split(";") } else { @() }
if (-not $LeavePath -and $known -notcontains $To) {
    [Environment]::SetEnvironmentVariable("Path", (@($known) + $To -join ";"), "User")
    Write-Output "added $To to PATH: open a new terminal to use it"
}
Write-Output "installed $(& (Join-Path $To 'desc.exe') --version) as $(Join-Path $To 'desc.exe')"
Write-Output "completions: add '. $(Join-Path $To 'completions\_desc.ps1')' to `$PROFILE"
